/** A review as the server tells it (docs/review.md), how it is asked for, and what is read off it. Nothing here judges a position. */
import { ApiError } from '../lib/api'
import type { GameEvent, ReviewShown } from '../lib/protocol'
import { BadRecord, type Source } from '../lib/replay.svelte'
import type { Params } from '../lib/words.svelte'

export interface Point {
  step: number
  seat: number | null
  turn: number | null
  values: number[]
  within: number
  chance: boolean
}
export interface Posting {
  step: number
  value: number
  own: number
  others: number
  luck: number
  rest: number
}
export interface Kind {
  count: number
  slips: number
  given: number
}
export interface Balance extends Omit<Posting, 'step' | 'value'> {
  seat: number
  start: number
  end: number
  accuracy: number | null
  decisions: number
  kinds: Record<string, Kind>
  entries: Posting[]
}
export interface Thought {
  move: string
  value: number
  within: number
}
export interface Why {
  code: string
  event: GameEvent | null
  share: number
  instead: number
  params: Params
}
export interface Decision {
  step: number
  seat: number
  kind: string
  move: string
  best: string
  given: number
  within: number
  stake: number
  moves: Thought[]
  better: Why[]
  /** What would have been best with open cards; only at moments. */
  had_known: Thought | null
}
export interface Moment {
  step: number
  seat: number
  what: string
  points: number
  before: number
  after: number
  decision: number | null
  events: GameEvent[]
}
export interface Review {
  game: string
  seats: number
  seat_names: string[]
  end: string
  places: number[]
  whole: boolean
  graph: Point[]
  lines: Balance[]
  decisions: Decision[]
  moments: Moment[]
}
export type Shown = Omit<ReviewShown, 'review'> & { review: Review | null }

async function answered(asked: Promise<Response>): Promise<Shown> {
  const response = await asked.catch(() => null)
  if (!response) throw new ApiError(0, 'unreachable', 'the server cannot be reached')
  const body = await response.json().catch(() => null)
  if (response.ok) return body as Shown
  const error = body?.error ?? {}
  if (error.code === 'bad_record') throw new BadRecord(error.params.code, error.params.line, error.params)
  throw new ApiError(response.status, error.code ?? 'unknown', error.message ?? response.statusText)
}

/** The review of a game as far as it is; `again` is the id of a record that was handed in before. */
export function ask(source: Source, again: string | null): Promise<Shown> {
  if ('table' in source) return answered(fetch(`/api/tables/${encodeURIComponent(source.table)}/review`))
  if (again) return answered(fetch(`/api/reviews/${encodeURIComponent(again)}`))
  return answered(fetch('/api/review', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: source.text }))
}

/** A point is a hundredth of a chance. */
export const points = (share: number): number => Math.round(share * 100) + 0

/** Whether a game was broken off: its chances end where it was left, not where the result is. */
export const left = (review: Review): boolean => review.end === 'resigned' || review.end === 'time'

/** With its sign, as people write it. */
export const signed = (share: number, language: string): string =>
  new Intl.NumberFormat(language, { signDisplay: 'exceptZero' }).format(points(share)).replace('-', '−')

/** A seat's chance after each step: on its own knowledge throughout once the account is made, from who was on turn before. */
export const chances = (review: Review, seat: number): number[] =>
  review.whole
    ? [review.lines[seat]!.start, ...review.lines[seat]!.entries.map((entry) => entry.value)]
    : review.graph.map((point) => point.values[seat] ?? 0)

export interface Drawn {
  step: number
  value: number
}
/** A line with one point for so many steps, their mean; where it begins and ends stays as it is. */
export function thinned(line: number[], few: number): Drawn[] {
  if (few <= 1) return line.map((value, step) => ({ step, value }))
  const last = line.length - 1
  const between: Drawn[] = []
  for (let from = 1; from < last; from += few) {
    const some = line.slice(from, Math.min(last, from + few))
    between.push({ step: from + (some.length - 1) / 2, value: some.reduce((sum, value) => sum + value, 0) / some.length })
  }
  return [{ step: 0, value: line[0]! }, ...between, { step: last, value: line[last]! }]
}

/** The moment that is shown first: whoever has played asks for his own mistake, then for his luck; anybody else begins at the beginning. */
export function firstOf(moments: Moment[], me: number | null): number {
  const own = moments.flatMap((one, at) =>
    one.seat === me ? [{ at, slip: Number(one.what === 'mistake'), share: Math.abs(one.points) }] : [],
  )
  return own.sort((one, other) => other.slip - one.slip || other.share - one.share)[0]?.at ?? 0
}

/** Reasons of one kind that follow each other, in one sentence each: it begins once. */
export function saidTogether(whys: Why[]): Why[][] {
  const groups: Why[][] = []
  for (const why of whys) {
    const last = groups.at(-1)
    if (last && last[0]!.code === why.code) last.push(why)
    else groups.push([why])
  }
  return groups
}

/** What made a seat's result, the weightiest first: parts below a point say nothing. */
export function shares(line: Balance): { part: 'own' | 'others' | 'luck' | 'rest'; share: number }[] {
  const parts = (['own', 'others', 'luck', 'rest'] as const).map((part) => ({ part, share: line[part] }))
  return parts.filter(({ share }) => points(share) !== 0).sort((one, other) => Math.abs(other.share) - Math.abs(one.share))
}

/** What a move gives away beside the best one. */
export const loss = (decision: Decision, move: string): number => {
  const worth = (one: string) => decision.moves.find(({ move }) => move === one)?.value ?? 0
  return Math.max(0, worth(decision.best) - worth(move))
}

/** How good a move is, in a word. */
export function verdict(decision: Decision, move: string): 'best' | 'equal' | 'good' | 'slip' | 'mistake' {
  const lost = loss(decision, move)
  return move === decision.best ? 'best' : lost < 0.005 ? 'equal' : lost < 0.05 ? 'good' : lost < 0.15 ? 'slip' : 'mistake'
}

/** A step in which there was luck, in two: what was done, and what chance brought with it, without the result that all know. */
export function parted(told: GameEvent[], chance: GameEvent[], closings: string[] = []): { done: GameEvent[]; chance: GameEvent[] } {
  const left = chance.map((event) => JSON.stringify(event))
  const before = (events: GameEvent[]): GameEvent[] => {
    const end = events.findIndex((event) => event.kind === 'ended' || closings.includes(event.kind))
    return end < 0 ? events : events.slice(0, end)
  }
  const done = before(told).filter((event) => {
    const at = left.indexOf(JSON.stringify(event))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return { done, chance: before(chance).length ? before(chance) : chance }
}
