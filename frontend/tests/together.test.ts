import { describe, expect, it } from 'vitest'
import { table as daemonen } from '../src/games/daemonen/table'
import { takeBack } from '../src/lib/showing'
import { TableState, type Told } from '../src/lib/table.svelte'

const event = (kind: string): Told => ({ event: { kind, rule: '' }, note: null, because: [] })

describe('taking back', () => {
  it('marks the last events of the story, and passes over notes and what is taken back already', () => {
    const note: Told = { event: null, note: { key: 'web.note.sat' }, because: [] }
    const state = new TableState('t', 's', daemonen)
    state.log = [event('a'), event('b'), note, event('c')]
    takeBack(state, 2)
    expect(state.log.map((told) => told.undone ?? false)).toEqual([false, true, false, true])
    state.log = [...state.log, event('d')]
    takeBack(state, 1)
    expect(state.log.map((told) => told.undone ?? false)).toEqual([false, true, false, true, true])
  })
})
