/** The table of Celtica, as the frame wants it. */
import type { GameTable } from '../../lib/game'
import Board from './Board.svelte'
import Chip from './Chip.svelte'
import Figure from './Figure.svelte'
import Hand from './Hand.svelte'
import { SEATS, type CeView } from './view'
import { moveGroups } from './notation'
import { harms, places, recap } from './recap'
import { scene } from './scene'
import { asks, foretold, outlook, warns } from './speech'

/** What the eye sees anyway, or what other lines say. */
const UNTOLD = new Set(['turn', 'laid', 'part_shown', 'part_dealt', 'shuffled', 'trade', 'paid'])

export const table: GameTable<CeView> = {
  prefix: 'ce',
  Board,
  Hand,
  Figure,
  Chip,
  foretold,
  seatNames: SEATS,
  asks,
  moves: moveGroups,
  scene,
  told: (event) => !UNTOLD.has(event.kind),
  begins: (event) => event.kind === 'turn' || event.kind === 'trade' || event.kind === 'round',
  outlook,
  atOnce: (move) => move === 'stop',
  places,
  recap,
  harms,
  warns,
  closings: ['play_ended'],
}
