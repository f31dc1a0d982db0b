import { afterEach, expect, it, vi } from 'vitest'
import { chime } from '../src/lib/turn.svelte'

afterEach(() => vi.unstubAllGlobals())

it.each([
  [false, 0],
  [true, 1],
])('a page that was touched (%s) makes its sound, an untouched one stays silent', (touched, sounds) => {
  const player = vi.fn<() => void>()
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: touched } })
  vi.stubGlobal('AudioContext', player)
  chime()
  expect(player).toHaveBeenCalledTimes(sounds)
})
