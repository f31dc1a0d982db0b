/** The table of Druidenwalzer, as the frame wants it. */
import type { GameTable } from '../../lib/game'
import Board from './Board.svelte'
import Chip from './Chip.svelte'
import Hand from './Hand.svelte'
import { moveGroups } from './notation'
import { scene } from './scene'
import { asks, figures, foretells, foretold, outlook } from './speech'
import { SEATS, type DwView } from './view'

const UNTOLD = new Set(['turn', 'ring_back'])

export const table: GameTable<DwView> = {
  prefix: 'dw',
  // DW-8.1: after one win in a row a 2, after more a 2 and a 3; which arrow they bear is the owner's choice.
  handicap: (streak, seat) =>
    [2, 3].slice(0, Math.min(streak, 2)).map((value) =>
      ['<', '>'].map((arrow) => ({
        card: `${value}${arrow}`,
        saying: { key: 'web.dw.move.card', params: { card: `${seat === 0 ? 's' : 'm'}${value}${arrow}` } },
      })),
    ),
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
  foretells,
  figures,
}
