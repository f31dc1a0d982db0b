/** What the server shows of a table of Druidenwalzer: `rules/druidenwalzer/view.py`, as types. */

export type Seat = 'sun' | 'moon'
export type Colour = 'orange' | 'purple' | 'black'
/** `s5<`: sign, value, arrow; `?` for a card that one may not see. */
export type CardText = string

export interface Tree {
  name: string
  seat: Seat
  number: number
  top: CardText | null
  cards: number
  down: number
  tokens: number
  lost: boolean
  druid: Colour | null
  must_fill: boolean
  covered: (CardText | null)[]
}

export interface DwView {
  phase: 'arrow' | 'druids' | 'turn' | 'contest' | 'over'
  turn: Seat | null
  oval: string[]
  trees: Tree[]
  ring: string | null
  /** The colour that rests because the ring lies at one of its druids. */
  resting: Colour | null
  /** For each side the number of the tree to which a druid could go. */
  jump_to: Record<Seat, number | null>
  meeting: Colour[]
  cult: Record<Seat, CardText[]>
  pile: Record<Seat, number>
  hand: Record<Seat, (CardText | null)[]>
  quiet: number
  draw_after: number
  to_conquer: number
  to_lose: number
  end: string | null
  winner: Seat | null
}

export const SEATS: Seat[] = ['sun', 'moon']
export const COLOURS: Colour[] = ['orange', 'purple', 'black']

export const treeOf = (view: DwView, name: string): Tree | undefined => view.trees.find((tree) => tree.name === name)
export const seatOfBoard = (name: string): Seat => (name.startsWith('S') ? 'sun' : 'moon')
export const isCult = (name: string): boolean => name.endsWith('C')
export const cultOf = (seat: Seat): string => (seat === 'sun' ? 'SC' : 'MC')
export const other = (seat: Seat): Seat => (seat === 'sun' ? 'moon' : 'sun')
export const treeName = (seat: Seat, number: number): string => (seat === 'sun' ? 'S' : 'M') + number

export interface Card {
  sign: Seat
  value: number
  /** `<` clockwise, `>` counter-clockwise */
  arrow: '<' | '>'
}

/** A card from its text; null for one that is hidden. */
export function readCard(text: unknown): Card | null {
  const found = typeof text === 'string' ? /^([sm])(\d+)([<>])$/.exec(text) : null
  return found ? { sign: found[1] === 's' ? 'sun' : 'moon', value: Number(found[2]), arrow: found[3] as '<' | '>' } : null
}
