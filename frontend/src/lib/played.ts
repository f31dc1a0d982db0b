/** The games that were played to their end on this device. They can be taken to another one and back as a file; no server keeps them. */
import type { SeatInfo } from './protocol'

export type Sitter = Pick<SeatInfo, 'kind' | 'name' | 'bot'>

export interface Played {
  /** The table's: its review and replay are found by it, on the server where it was played. */
  id: string
  game: string
  /** In milliseconds since 1970. */
  when: number
  /** Ours. */
  seat: number
  end: string
  places: number[]
  people: Sitter[]
  /** From its review: null where there is none, missing as long as nobody has asked. Luck is a share of a game, as in a review. */
  accuracy?: number | null
  luck?: number | null
}

export type How = 'draw' | 'lost' | 'shared' | 'won'

const KEY = 'drunemeton.games'
const KEPT = 1000
const LONGEST = 80

export const winnersOf = (places: number[]): number[] => places.flatMap((place, seat) => (place === 1 ? [seat] : []))

/** How a game ended for a seat. Only an end called so is a draw; several winners share a victory. */
export function howFor(seat: number, end: string, places: number[]): How {
  const winners = winnersOf(places)
  if (end === 'draw' || winners.length === 0) return 'draw'
  return !winners.includes(seat) ? 'lost' : winners.length > 1 ? 'shared' : 'won'
}

/** The latest first. */
export function played(): Played[] {
  try {
    return clean(JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  } catch {
    return []
  }
}

function write(games: Played[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(games))
  } catch {
    // Without storage a game is remembered by its players alone.
  }
}

const isCount = (given: unknown): given is number => Number.isInteger(given) && (given as number) >= 0
const isText = (given: unknown): given is string => typeof given === 'string' && given.length <= LONGEST
const isFigure = (given: unknown): given is number | null => given === null || (typeof given === 'number' && Number.isFinite(given))

/** Whatever comes from a file: games with the fields that we know, and nothing else; the latest first, each once. */
function clean(given: unknown): Played[] {
  const games = new Map<string, Played>()
  for (const one of Array.isArray(given) ? given : []) {
    const { id, game, when, seat, end, places, people, accuracy, luck } = (one ?? {}) as Record<string, unknown>
    if (!isText(id) || !/^[\w-]+$/.test(id) || !isText(game) || !/^[a-z]+$/.test(game) || !isCount(when) || !isText(end)) continue
    if (!Array.isArray(places) || !places.every(isCount) || !Array.isArray(people) || people.length !== places.length) continue
    if (!isCount(seat) || seat >= places.length || !people.every(isSitter)) continue
    const sitters = people.map(({ kind, name, bot }) => ({ kind, name, bot }))
    const figures = isFigure(accuracy) && isFigure(luck) ? { accuracy, luck } : {}
    games.set(id, { ...games.get(id), id, game, when, seat, end, places, people: sitters, ...figures })
  }
  return [...games.values()].sort((one, other) => other.when - one.when).slice(0, KEPT)
}

function isSitter(given: unknown): given is Sitter {
  const { kind, name, bot } = (given ?? {}) as Record<string, unknown>
  return ['person', 'bot', 'open'].includes(kind as string) && isText(name) && (bot === null || isText(bot))
}

/** Take in games from elsewhere; answers how many of them were new here. A figure that is known is never lost. */
export function merge(given: unknown): number {
  const before = played()
  const known = new Map(before.map((game) => [game.id, game]))
  const news = clean(given).map((game) => {
    const old = known.get(game.id)
    return { ...game, ...(old && old.accuracy != null && { accuracy: old.accuracy, luck: old.luck }), when: old?.when ?? game.when }
  })
  const games = clean([...before, ...news])
  write(games)
  return games.length - before.length
}

/** A game has ended here. */
export const noteGame = (game: Played): void => void merge([game])

/** What a review found of our seat; null where there is no review. */
export function noteFigures(id: string, accuracy: number | null, luck: number | null): void {
  write(played().map((game) => (game.id === id ? { ...game, accuracy, luck } : game)))
}

export const forgetGame = (id: string): void => write(played().filter((game) => game.id !== id))
