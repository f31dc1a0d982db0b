/** What happened, for who was not looking: places of events, and a turn in a line. */
import type { Saying } from '../../lib/game'
import type { GameEvent } from '../../lib/protocol'
import { isKind, type Kind } from './view'

/** `place 4`, `druid red`, `player ulster`, `display moon`: what an event touches at the table. */
function placesOf(event: GameEvent): string[] {
  const found: string[] = []
  if (event.kind === 'walked') for (let n = Number(event.from); n <= Number(event.to); n++) found.push(`place ${n}`)
  if (typeof event.colour === 'string') found.push(`druid ${event.colour}`)
  if (typeof event.seat === 'string' && event.kind !== 'turn') found.push(`player ${event.seat}`)
  if (isKind(event.part)) found.push(`display ${event.part}`)
  return found
}

export const places = (events: GameEvent[]): string[] => [...new Set(events.flatMap(placesOf))]

/** A part that a ruin takes: which one, its owner has yet to choose. */
export const harms = (event: GameEvent, seat: string): boolean => event.kind === 'given' && event.seat === seat

/** Where a druid was led, and what that brought and cost. */
export function recap(events: GameEvent[]): Saying[] {
  const of = (...kinds: string[]) => events.filter((event) => kinds.includes(event.kind))
  const said: Saying[] = []
  for (const event of of('walked', 'stayed')) said.push({ key: `web.ce.recap.${event.kind}`, params: event })
  const parts = (kind: string, found: GameEvent[]) =>
    found.length && said.push({ key: `web.ce.recap.${kind}`, params: { parts: found.map((event) => event.part as Kind) } })
  parts('taken', of('taken', 'bought'))
  parts('given', of('given'))
  for (const event of of('swapped')) said.push({ key: 'web.ce.recap.swapped', params: event })
  const cards = of('dealt').length
  if (cards) said.push({ key: 'web.ce.recap.dealt', params: { count: cards } })
  for (const { kind } of of('declined', 'last_round', 'stopped', 'skipped')) said.push({ key: `web.ce.recap.${kind}` })
  return said
}
