/** What the server shows of a table of Druiden und Dämonen: `rules/daemonen/view.py`, as types. */

export type Seat = 'red' | 'blue' | 'yellow' | 'green'
export type Action = 'dark' | 'light' | 'scout' | 'populate' | 'move'
export type Terrain = 'F' | 'W' | 'M'

export interface Cell {
  cell: string
  q: number
  r: number
  kind: 'centre' | 'land' | 'portal'
  sides: string | null
  demon: boolean
  anchor: boolean
  population: Seat | null
  temple: boolean
  temple_of: Seat | null
  stones: number
  habitable: boolean
  at_portal: boolean
  moved: boolean
}

export interface Corner {
  corner: string
  cells: string[]
  stone: Seat | null
  ready: boolean
}

export interface Player {
  seat: Seat
  points: number
  /** How many of the points come from populations, stones and temples. */
  points_from: { populations: number; stones: number; temples: number }
  populations: number
  stones: number
  temples: number
  reserve: number
  stone_reserve: number
  trophies: number
  reach: string[]
  chains: string[][]
  /** What he could reach in his next turn, as things stand. */
  next: NextTurn
}

export interface NextTurn {
  demons: { cell: string; steps: number }[]
  moves: string[]
  captures: string[]
  settles: string[]
}

/** What an action would give now: up to so many steps, so many of them possible as things stand. */
export interface Prospect {
  action: Action
  up_to: number
  twice: number
  possible: number
  places: Record<string, number>
  /** It would surely do nothing. */
  idle: boolean
}

export interface DdView {
  phase: Action | 'setup' | 'choose' | 'over'
  turn: Seat | null
  turns: number
  cells: Cell[]
  corners: Corner[]
  players: Player[]
  in_hand: string | null
  pile: number
  demon_pool: number
  temple_pool: number
  chosen: Action[]
  banned: { action: Action; by: string[] }[]
  prospects: Prospect[]
  left: number
  /** How much of that could be done at most. */
  at_most: number
  /** What the next population costs, in trophies. */
  price: number
  half: string | null
  frontier: string[]
  lays: { cell: string; rotations: number[] }[]
  win: number
  end: string | null
  winners: Seat[]
}

export const SEATS: Seat[] = ['red', 'blue', 'yellow', 'green']
export const ACTIONS: Action[] = ['dark', 'light', 'scout', 'populate', 'move']
