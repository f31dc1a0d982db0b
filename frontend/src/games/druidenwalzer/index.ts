import type { GameFace } from '../../lib/game'

export const face: GameFace = {
  name: 'druidenwalzer',
  order: 1,
  keys: [{ does: 'card' }],
  rulePrefix: 'DW',
  table: () => import('./table').then((module) => module.table),
}
