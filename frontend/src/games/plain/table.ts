/** A table for a game that has no drawings of its own: the view as it is, and the moves as they are written. */
import type { GameTable } from '../../lib/game'
import { word } from '../../lib/words.svelte'
import Board from './Board.svelte'
import Chip from './Chip.svelte'
import Hand from './Hand.svelte'

/** How long an event stands, in milliseconds. */
const SHOWN_MS = 600

export interface PlainGame {
  prefix: string
  seatNames: string[]
  /** Kinds of event that the log leaves out. */
  untold?: string[]
  /** Kinds of event with which a paragraph of the log begins. */
  begins?: string[]
  open?: boolean
}

export function plainTable({ prefix, seatNames, untold = [], begins = [], open = false }: PlainGame): GameTable {
  return {
    prefix,
    seatNames,
    open,
    Board,
    Hand,
    // A component is a function: this one knows in whose words it speaks.
    Chip: (anchor, props) =>
      Chip(anchor, {
        get name() {
          return props.name
        },
        get value() {
          return props.value
        },
        prefix,
      }),
    asks(_view, seat, turn) {
      if (turn === null) return { key: 'web.status.over' }
      if (seat === turn) return { key: 'web.plain.ask' }
      return { key: 'web.plain.waiting', params: { who: word(seatNames[turn], prefix) } }
    },
    moves: (legal) => [
      { saying: { key: 'web.plain.moves' }, moves: legal.map((move) => ({ move, saying: { key: 'web.plain.move', params: { move } } })) },
    ],
    scene: (view, event, rest, last) => ({ event, during: view, view: rest.length ? view : last, ms: SHOWN_MS }),
    told: (event) => !untold.includes(event.kind),
    begins: (event) => begins.includes(event.kind),
    outlook: () => '',
  }
}
