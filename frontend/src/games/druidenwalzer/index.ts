import type { GameFace } from '../../lib/game'

export const face: GameFace = {
  name: 'druidenwalzer',
  order: 1,
  keys: [{ does: 'card' }],
  rulePrefix: 'DW',
  presets: {
    short: () => ({ options: { tokens_to_conquer: 4, trees_to_lose: 1 } }),
    handicap: (_, seat) => ({ options: { [seat === 0 ? 'handicap_sun' : 'handicap_moon']: '2>' } }),
  },
  variants: {
    moon_row: 'start',
    draw_after: 'length',
    trees: 'length',
    stack: 'length',
    hand: 'length',
    tokens_to_conquer: 'length',
    trees_to_lose: 'length',
    handicap_sun: 'handicap',
    handicap_moon: 'handicap',
  },
  table: () => import('./table').then((module) => module.table),
}
