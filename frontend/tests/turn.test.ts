import { afterEach, expect, it, vi } from 'vitest'
import { chime } from '../src/lib/turn.svelte'

afterEach(() => vi.unstubAllGlobals())

it.each([
  [false, 0],
  [true, 1],
])('a page that was touched (%s) makes its sound, an untouched one stays silent', (touched, sounds) => {
  let made = 0
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: touched } })
  vi.stubGlobal(
    'AudioContext',
    class {
      constructor() {
        made++
      }
    },
  )
  chime()
  expect(made).toBe(sounds)
})
