import { describe, expect, it } from 'vitest'
import { pageOf } from '../src/lib/router.svelte'

const KEY = 'abcdefghijklmnopqrstuvwxyz'

describe('a path becomes a page', () => {
  it('knows every room', () => {
    expect(pageOf('/', '')).toEqual({ name: 'lobby' })
    expect(pageOf('/new/celtica', '')).toEqual({ name: 'setup', game: 'celtica' })
    expect(pageOf('/rules', '')).toEqual({ name: 'rules', game: null })
    expect(pageOf('/rules/daemonen', '#DD-3.1')).toEqual({ name: 'rules', game: 'daemonen' })
    expect(pageOf('/replay', '')).toEqual({ name: 'replay', id: null })
    expect(pageOf('/replay/t1', '#4-sun')).toEqual({ name: 'replay', id: 't1' })
  })
  it('takes a key only where it may be one', () => {
    expect(pageOf('/t/t1', `#${KEY}`)).toEqual({ name: 'table', id: 't1', key: KEY })
    expect(pageOf('/t/t1', '#main')).toEqual({ name: 'table', id: 't1', key: null })
  })
  it('gets lost elsewhere', () => {
    for (const path of ['/t', '/new', '/nowhere', '/t/t1/more']) expect(pageOf(path, '')).toEqual({ name: 'lost' })
  })
})
