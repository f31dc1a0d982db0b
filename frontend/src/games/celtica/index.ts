import type { GameFace } from '../../lib/game'
import Vignette from './Vignette.svelte'

export const face: GameFace = {
  name: 'celtica',
  order: 2,
  keys: [{ does: 'card' }],
  rulePrefix: 'CE',
  Vignette,
  table: () => import('./table').then((module) => module.table),
}
