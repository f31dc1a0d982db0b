/** The table of Druiden und Dämonen, as the frame wants it. */
import type { GameTable } from '../../lib/game'
import Board from './Board.svelte'
import Chip from './Chip.svelte'
import Hand from './Hand.svelte'
import { SEATS, type DdView } from './view'
import { inFull, moveGroups } from './notation'
import { harms, places, recap } from './recap'
import { scene } from './scene'
import { asks, foretold, outlook, says, warns } from './speech'

const UNTOLD = new Set(['action', 'begun', 'shuffled'])

export const table: GameTable<DdView> = {
  prefix: 'dd',
  open: true,
  Board,
  Hand,
  Chip,
  foretold,
  seatNames: SEATS,
  asks,
  moves: moveGroups,
  inFull,
  says,
  warns,
  scene,
  told: (event) => !UNTOLD.has(event.kind),
  begins: (event) => event.kind === 'turn',
  outlook,
  // A field that is drawn is seen: only where nothing else can be done there is nothing to think about.
  atOnce: (move, legal) => move === 'stop' || move === 'end' || (move === 'draw' && legal.length === 1),
  trifles: ['dd.only_source'],
  places,
  recap,
  harms,
}
