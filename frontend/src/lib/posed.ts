/** A position that comes whole from the server, as the boards draw it: a table at which nobody sits but the reader. */
import { ApiError } from './api'
import { faceOf } from './game'
import type { Posed, TableInfo, View } from './protocol'
import { TableState } from './table.svelte'

type Needed = 'game' | 'options' | 'components' | 'provenance' | 'seats'
/** What is known of a table that is looked at and not played at. */
export const shownOnly = (known: Pick<TableInfo, Needed> & Partial<TableInfo>): TableInfo => ({
  id: '',
  clock: { kind: 'none', seconds: 0 },
  commitment: '',
  auditable: false,
  secret: null,
  series: {},
  chat: false,
  arranged: false,
  lesson: null,
  ...known,
})

export async function tableOf(posed: Posed): Promise<TableState> {
  const load = faceOf(posed.game)?.table
  if (!load) throw new ApiError(404, 'lost', posed.game)
  const table = new TableState('', '', await load())
  const nobody = { kind: 'person' as const, name: '', bot: null, out: null }
  const { game, options, components, provenance } = posed
  const seats = Array.from({ length: posed.seats }, () => nobody)
  table.info = shownOnly({ game, options, components, provenance, seats, arranged: true })
  table.seat = table.turn = posed.seat
  table.contact = 'open'
  table.revision = table.shownRevision = 0
  table.shown = posed.view as View
  table.presence = seats.map(() => 'here')
  table.legal = posed.legal
  return table
}
