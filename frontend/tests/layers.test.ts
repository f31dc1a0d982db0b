import { beforeEach, describe, expect, it, vi } from 'vitest'
import type * as Layers from '../src/lib/layers'

/** A browser's history, as far as layers use it; going back tells the page at once. */
class Past {
  all: unknown[] = [null]
  at = 0
  told: (state: unknown) => void = () => {}
  get state() {
    return this.all[this.at]
  }
  pushState(state: unknown) {
    this.all = [...this.all.slice(0, ++this.at), state]
  }
  replaceState(state: unknown) {
    this.all[this.at] = state
  }
  back() {
    this.at--
    this.told(this.state)
  }
}

describe('back', () => {
  let past: Past
  let layers: typeof Layers
  let looks = 0
  beforeEach(async () => {
    past = new Past()
    past.pushState('table') // after the lobby
    Object.assign(globalThis, { history: past })
    vi.resetModules()
    layers = await import('../src/lib/layers')
    looks = 0
    past.told = (state) => layers.handled(state) || looks++
  })

  it('closes what is open, the topmost first, then leaves', () => {
    const closed: string[] = []
    layers.layer(() => closed.push('sheet'))
    layers.layer(() => closed.push('dialog'))
    past.back()
    expect([closed, looks]).toEqual([['dialog'], 0])
    past.back()
    expect([closed, looks]).toEqual([['dialog', 'sheet'], 0])
    past.back()
    expect([past.at, looks]).toEqual([0, 1])
  })
  it('needs one press where everything was closed in another way', () => {
    const gone = layers.layer(() => expect.fail('it is closed already'))
    gone()
    past.back()
    expect([past.at, looks]).toEqual([0, 1])
  })
  it('gives the entry of a closed layer to the next', () => {
    const closed: string[] = []
    layers.layer(() => closed.push('first'))()
    layers.layer(() => closed.push('second'))
    expect(past.at).toBe(2)
    past.back()
    expect([closed, past.at, looks]).toEqual([['second'], 1, 0])
  })
  it('leads from the next page to the table, not to its sheet', () => {
    layers.layer(() => {})
    expect(layers.left()).toBe(true)
    past.replaceState('next page')
    expect(layers.left()).toBe(false)
    past.back()
    expect([past.state, looks]).toEqual(['table', 1])
  })
})
