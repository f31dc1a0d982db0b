/** A position that comes whole from the server, as the boards draw it: a table at which nobody sits but the reader. */
import { ApiError } from './api'
import { faceOf } from './game'
import type { Posed, TableInfo, View } from './protocol'
import { TableState } from './table.svelte'

export async function tableOf(posed: Posed): Promise<TableState> {
  const load = faceOf(posed.game)?.table
  if (!load) throw new ApiError(404, 'lost', posed.game)
  const table = new TableState('', '', await load())
  const nobody = { kind: 'person' as const, name: '', bot: null, out: null }
  table.info = {
    id: '',
    game: posed.game,
    options: posed.options,
    components: posed.components,
    provenance: posed.provenance,
    seats: Array.from({ length: posed.seats }, () => nobody),
    clock: { kind: 'none', seconds: 0 },
    commitment: '',
    auditable: false,
    secret: null,
    series: {},
    chat: false,
    arranged: true,
    lesson: null,
  } satisfies TableInfo
  table.seat = table.turn = posed.seat
  table.line = 'open'
  table.revision = table.shownRevision = 0
  table.shown = posed.view as View
  table.presence = table.info.seats.map(() => 'here')
  table.legal = posed.legal
  return table
}
