/** What happened, for who was not looking: places of events, and a turn in a line. */
import type { Saying } from '../../lib/game'
import type { GameEvent } from '../../lib/protocol'
import { cultOf, seatOfBoard, treeName, type Seat } from './view'

const BOARD = /^[SM][1-4C]$/

/** The trees and cult boards that an event names. */
function placesOf(event: GameEvent): string[] {
  if (event.kind === 'druid_set') return [treeName(event.seat as Seat, Number(event.tree))]
  const named = [event.tree, event.from, event.to, ...(Array.isArray(event.trees) ? event.trees : [])].map(String)
  const cult = event.kind === 'retreated' || event.kind === 'arrow_laid' ? event.seat : event.cult
  return [...named, ...(cult ? [cultOf(cult as Seat)] : [])].filter((name) => BOARD.test(name))
}

export const places = (events: GameEvent[]): string[] => [...new Set(events.flatMap(placesOf))]

/** A token on one's own tree, a lost tree, a lost game. */
export function harms(event: GameEvent, seat: string): boolean {
  if (event.kind === 'ended') return event.winner !== seat
  return (event.kind === 'token' || event.kind === 'tree_lost') && seatOfBoard(String(event.tree)) === seat
}

/** The action of a turn, what danced, and where tokens went. */
export function recap(events: GameEvent[]): Saying[] {
  const of = (kind: string) => events.filter((event) => event.kind === kind)
  const said: Saying[] = []
  const first = events.find(({ kind }) => ['played', 'retreated', 'druid_moved', 'arrow_laid', 'passed'].includes(kind))
  if (first) said.push({ key: `web.dw.recap.${first.kind}`, params: first })
  const count = (kind: string, found: GameEvent[]) =>
    found.length && said.push({ key: `web.dw.recap.${kind}`, params: { count: found.length } })
  count('druid_set', of('druid_set'))
  count('danced', of('danced'))
  for (const tree of new Set(of('token').map((event) => event.tree))) said.push({ key: 'web.dw.recap.token', params: { tree } })
  for (const { tree } of of('tree_lost')) said.push({ key: 'web.dw.recap.tree_lost', params: { tree } })
  return said
}
