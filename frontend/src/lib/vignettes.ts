/** The living drawings of the games, by name. */
import type { Component } from 'svelte'

const found = import.meta.glob<{ default: Component }>('../games/*/Vignette.svelte', { eager: true })

export const vignettes: Record<string, Component> = Object.fromEntries(
  Object.entries(found).map(([path, module]) => [path.split('/').at(-2), module.default]),
)
