import type { GameFace } from '../../lib/game'
import Vignette from './Vignette.svelte'

export const face: GameFace = {
  name: 'druidenwalzer',
  order: 1,
  keys: [{ does: 'card' }],
  rulePrefix: 'DW',
  Vignette,
  table: () => import('./table').then((module) => module.table),
}
