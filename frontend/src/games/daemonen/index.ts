import type { GameFace } from '../../lib/game'

export const face: GameFace = {
  name: 'daemonen',
  order: 3,
  keys: [
    { press: 'r R', does: 'dd.turn' },
    { press: '+ −', does: 'dd.zoom' },
    { press: '0', does: 'dd.whole' },
  ],
  rulePrefix: 'DD',
  presets: {
    short: (components) => ({ components: { ...components, win: 18 } }),
  },
  variants: { centre_radius: 'start', longest_game: 'length' },
  table: () => import('./table').then((module) => module.table),
}
