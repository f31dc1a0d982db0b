/** What the server shows of a table of Celtica (`rules/celtica/view.py`, as types), and what follows from it. */

export type Colour = 'white' | 'red' | 'grey' | 'brown' | 'black'
export type Kind = 'sun' | 'moon' | 'star' | 'oak' | 'stag' | 'raven' | 'wave' | 'flame' | 'centre'
export type PlaceKind = 'start' | 'cult' | 'ruin' | 'village' | 'castle' | 'monastery' | 'goal'
export type Deck = 'druid' | 'experience'

export interface Place {
  number: number
  kind: PlaceKind
  parts: number
  druids: Colour[]
}

export interface Stop {
  cards: number
  place: number
  kind: PlaceKind
  parts: number
}

export interface Player {
  seat: string
  hand: (Colour | '?')[]
  experience: (Colour | '?')[]
  playing: boolean
  parts: Partial<Record<Kind, number>>
  amulets: number[]
  complete: number
  lacking: Kind[]
  rank: number
}

export interface CeView {
  phase: 'play' | 'cult' | 'take' | 'give' | 'experience' | 'over'
  turn: string | null
  left: number
  round: number
  starter: string
  last_round: boolean
  places: Place[]
  druids: Record<Colour, number>
  before_ruin: Colour[]
  stops: Partial<Record<Colour, Stop[]>>
  display: Partial<Record<Kind, number>>
  wanted: Kind[]
  spare: Kind[]
  supply: number
  given: Partial<Record<Kind, number>>
  pile: Record<Deck, number>
  discard: Record<Deck, Partial<Record<Colour, number>>>
  unseen: Record<Deck, Partial<Record<Colour, number>>>
  players: Player[]
  end: string | null
}

export const SEATS = ['ulster', 'connacht', 'leinster', 'munster', 'meath']
export const COLOURS: Colour[] = ['white', 'red', 'grey', 'brown', 'black']
export const OUTER: Kind[] = ['sun', 'moon', 'star', 'oak', 'stag', 'raven', 'wave', 'flame']
export const KINDS: Kind[] = [...OUTER, 'centre']

export const sum = (counts: Partial<Record<string, number>>): number =>
  Object.values(counts).reduce<number>((all, one) => all + (one ?? 0), 0)
export const isColour = (value: unknown): value is Colour => COLOURS.includes(value as Colour)
export const isKind = (value: unknown): value is Kind => KINDS.includes(value as Kind)

/** The kinds in a player's k-th amulet, counted from 0: those of which he has more than k. */
export const amuletOf = (player: Player, k: number): Kind[] => KINDS.filter((kind) => (player.parts[kind] ?? 0) > k)

/** What the places show of an effect: `+2`, `−3`, a card; nothing at the start. */
export const effectOf = (place: { kind: PlaceKind; parts: number }): string =>
  place.kind === 'cult' ? '+?' : place.parts > 0 ? `+${place.parts}` : place.parts < 0 ? `−${-place.parts}` : ''

/** How parts sort into amulets, and who is ahead: CE-6.4. */
export function sortOut(view: CeView): void {
  for (const player of view.players) {
    player.amulets = Array.from({ length: Math.max(0, ...Object.values(player.parts)) }, (_, k) => amuletOf(player, k).length)
    player.complete = player.amulets.filter((size) => size === KINDS.length).length
    player.lacking = KINDS.filter((kind) => (player.parts[kind] ?? 0) === player.complete)
  }
  for (const player of view.players) player.rank = 1 + view.players.filter((other) => ahead(other.amulets, player.amulets)).length
}

function ahead(one: number[], other: number[]): boolean {
  for (let k = 0; k < Math.max(one.length, other.length); k++) {
    const [a, b] = [one[k] ?? 0, other[k] ?? 0]
    if (a !== b) return a > b
  }
  return false
}

/** A druid card drawn now: the chance that its druid stands right before a ruin (CE-4.3). */
export function risk(view: CeView): { druids: Colour[]; percent: number } {
  const pool = view.pile.druid > 0 ? view.unseen.druid : view.discard.druid
  const all = sum(pool)
  const bad = view.before_ruin.reduce((total, colour) => total + (pool[colour] ?? 0), 0)
  return { druids: view.before_ruin, percent: all > 0 ? Math.round((100 * bad) / all) : 0 }
}

/** The parts that a ruin costs with the least harm: of which one has most, and of equals what is easiest to get back. */
export function leastHarm(view: CeView, player: Player, count: number): Kind[] {
  const left = { ...player.parts }
  const given: Kind[] = []
  for (let n = 0; n < count; n++) {
    const [kind] = KINDS.filter((one) => (left[one] ?? 0) > 0).sort(
      (one, other) => (left[other] ?? 0) - (left[one] ?? 0) || (view.display[other] ?? 0) - (view.display[one] ?? 0),
    )
    if (!kind) break
    left[kind] = (left[kind] ?? 0) - 1
    given.push(kind)
  }
  return given
}
