/** What the server shows of a table of Celtica: `rules/celtica/view.py`, as types. */

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
  /** So many he takes there, of which so many are needed; and what a ruin takes from him with the least harm. */
  takes: number
  needs: number
  loses: Kind[]
}

/** What a part that is taken or given up does to one's amulets, and how many parts the growing one has then. */
export interface Change {
  what: 'grows' | 'completes' | 'twice' | 'shrinks' | 'breaks' | 'spare'
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
  /** Druids whose next place is a ruin. */
  before_ruin: Colour[]
  /** Druids whom a card drawn now could lead only into a ruin, with the own cards of theirs too. */
  into_ruin: Colour[]
  /** Of a hundred druid cards that may be drawn now, so many are of these druids. */
  ruin_risk: number
  stops: Partial<Record<Colour, Stop[]>>
  /** Whom one can lead nowhere, and why. */
  rests: Partial<Record<Colour, { why: 'no_card_of' | 'druid_at_goal'; rule: string }>>
  display: Partial<Record<Kind, number>>
  wanted: Kind[]
  spare: Kind[]
  if_taken: Partial<Record<Kind, Change>>
  if_given: Partial<Record<Kind, Change>>
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

/** How a player's parts are drawn, equal ones one behind another. What they come to, `amulets` and `complete` say. */
export const rings = (player: Player): Kind[][] =>
  Array.from({ length: Math.max(0, ...Object.values(player.parts)) }, (_, k) => KINDS.filter((kind) => (player.parts[kind] ?? 0) > k))

/** What the places show of an effect: `+2`, `−3`, a card; nothing at the start. */
export const effectOf = (place: { kind: PlaceKind; parts: number }): string =>
  place.kind === 'cult' ? '+?' : place.parts > 0 ? `+${place.parts}` : place.parts < 0 ? `−${-place.parts}` : ''
