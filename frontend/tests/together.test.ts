import { describe, expect, it } from 'vitest'
import { takeBack } from '../src/lib/showing'
import type { TableState, Told } from '../src/lib/table.svelte'

const event = (kind: string): Told => ({ event: { kind, rule: '' }, note: null, because: [] })

describe('taking back', () => {
  it('marks the last events of the story, and passes over notes and what is taken back already', () => {
    const note: Told = { event: null, note: { key: 'web.note.sat' }, because: [] }
    const state = { log: [event('a'), event('b'), note, event('c')] } as unknown as TableState
    takeBack(state, 2)
    expect(state.log.map((told) => told.undone ?? false)).toEqual([false, true, false, true])
    state.log = [...state.log, event('d')]
    takeBack(state, 1)
    expect(state.log.map((told) => told.undone ?? false)).toEqual([false, true, false, true, true])
  })
})
