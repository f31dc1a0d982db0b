/** The table of Druidenwalzer, as the frame wants it. */
import type { GameTable } from '../../lib/game'
import Board from './Board.svelte'
import Chip from './Chip.svelte'
import Foretold from './Foretold.svelte'
import Hand from './Hand.svelte'
import { moveGroups } from './notation'
import { scene } from './scene'
import { asks, figures, outlook } from './speech'
import { SEATS, type DwView } from './view'

const UNTOLD = new Set(['turn', 'ring_back'])

export const table: GameTable = {
  prefix: 'dw',
  handicap: true,
  Board,
  Hand,
  Chip,
  Foretold,
  seatNames: SEATS,
  asks: (view, seat, turn) => asks(view as unknown as DwView, seat, turn),
  moves: (legal, view, seat) => moveGroups(legal, view as unknown as DwView, seat),
  scene,
  told: (event) => !UNTOLD.has(event.kind),
  begins: (event) => event.kind === 'turn',
  outlook,
  figures: (events, view) => figures(events, view as unknown as DwView),
}
