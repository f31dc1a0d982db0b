/** The table of Druidenwalzer, as the frame wants it. */
import type { GameTable } from '../../lib/game'
import Board from './Board.svelte'
import Chip from './Chip.svelte'
import Hand from './Hand.svelte'
import { moveGroups } from './notation'
import { harms, places, recap } from './recap'
import { scene } from './scene'
import { asks, foretells, foretold, outlook, outlookInWords } from './speech'
import { SEATS, type DwView } from './view'

const UNTOLD = new Set(['turn', 'ring_back'])

export const table: GameTable<DwView> = {
  prefix: 'dw',
  handicap: (card, seat) => ({ key: 'web.dw.move.card', params: { card: `${seat === 0 ? 's' : 'm'}${card}` } }),
  Board,
  Hand,
  Chip,
  foretold,
  seatNames: SEATS,
  asks,
  moves: moveGroups,
  scene,
  told: (event) => !UNTOLD.has(event.kind),
  begins: (event) => event.kind === 'turn',
  outlook,
  outlookInWords,
  places,
  recap,
  harms,
  foretells,
}
