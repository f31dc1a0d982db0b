import type { GameFace } from '../../lib/game'

export const face: GameFace = {
  name: 'celtica',
  order: 2,
  keys: [{ does: 'card' }],
  rulePrefix: 'CE',
  presets: {
    // Every other place: half the way.
    short: (components) => ({ components: { ...components, places: (components.places as unknown[]).filter((_, at) => at % 2 === 0) } }),
  },
  table: () => import('./table').then((module) => module.table),
}
