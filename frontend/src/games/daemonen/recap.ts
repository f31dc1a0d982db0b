/** What happened, for who was not looking: places of events, and a turn in a line. */
import type { Saying } from '../../lib/game'
import type { GameEvent } from '../../lib/protocol'
import { say } from '../../lib/words.svelte'
import { placeOfEvent } from './scene'

/** The fields and corners that events name. */
export function places(events: GameEvent[]): string[] {
  const found = events.flatMap((event) => [placeOfEvent(event), typeof event.from === 'string' ? event.from : null])
  return [...new Set(found.filter((place) => place !== null))]
}

/** What is counted, in the order in which it is told. */
const COUNTED = [
  'laid',
  'portal_laid',
  'discarded',
  'demon_placed',
  'anchored',
  'demon_removed',
  'stone_placed',
  'temple_placed',
  'converted',
  'settled',
  'moved',
  'captured',
  'population_lost',
  'stone_lost',
  'temple_lost',
]

/** What is lost, and what others take. */
export function harms(event: GameEvent, seat: string): boolean {
  if (event.kind === 'ended') return event.winner !== seat
  return event.owner === seat || (event.kind.endsWith('_lost') && event.seat === seat)
}

/** What was done in a turn, or else which actions were chosen in vain; and the points after it. */
export function recap(events: GameEvent[]): Saying[] {
  const said: Saying[] = []
  for (const kind of COUNTED) {
    const count = events.filter((event) => event.kind === kind).length
    if (count) said.push({ key: `web.dd.recap.${kind}`, params: { count } })
  }
  const actions = [...new Set(events.filter(({ kind }) => kind === 'chosen').map(({ action }) => say(`web.dd.action.${action}`)))]
  if (actions.length && said.length === 0) said.push({ key: 'web.dd.recap.chosen', params: { actions } })
  const points = new Map(events.filter(({ kind }) => kind === 'scored').map((event) => [event.seat, event.points]))
  // Whose turn it was stands before the line already.
  const own = events.find(({ kind }) => kind === 'turn' || kind === 'chosen')?.seat
  for (const [seat, of] of points)
    said.push({ key: seat === own ? 'web.dd.recap.scored_own' : 'web.dd.recap.scored', params: { seat, points: of } })
  return said
}
