import type { GameFace } from '../../lib/game'
import Vignette from './Vignette.svelte'

export const face: GameFace = {
  name: 'daemonen',
  order: 3,
  rulePrefix: 'DD',
  Vignette,
  table: () => import('./table').then((module) => module.table),
}
