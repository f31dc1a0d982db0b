import type { GameFace } from '../../lib/game'

export const face: GameFace = {
  name: 'celtica',
  order: 2,
  keys: [{ does: 'card' }],
  rulePrefix: 'CE',
  table: () => import('./table').then((module) => module.table),
}
