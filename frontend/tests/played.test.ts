/** The games of this device: what a file may bring, and that nothing known is lost by it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetGame, howFor, merge, noteFigures, noteGame, played, type Played } from '../src/lib/played'

const people = [
  { kind: 'person' as const, name: 'Ada', bot: null },
  { kind: 'bot' as const, name: '', bot: 'level-3' },
]
const game = (id: string, when: number): Played => ({ id, game: 'celtica', when, seat: 0, end: 'bar', places: [1, 2], people })

describe('my games', () => {
  beforeEach(() => localStorage.setItem('drunemeton.games', '[]'))

  it('are kept once each, the latest first', () => {
    noteGame(game('a', 1))
    noteGame(game('b', 2))
    noteGame(game('a', 9))
    expect(played().map(({ id, when }) => [id, when])).toEqual([
      ['b', 2],
      ['a', 1],
    ])
  })

  it('go to another device and back without losing a figure', () => {
    noteGame(game('a', 1))
    const taken = JSON.parse(JSON.stringify(played()))
    noteFigures('a', 81.5, -0.12)
    expect(merge([...taken, game('c', 3)])).toBe(1)
    expect(merge([...taken, game('c', 3)])).toBe(0)
    expect(played()[1]).toMatchObject({ id: 'a', accuracy: 81.5, luck: -0.12 })
    forgetGame('c')
    expect(played()).toHaveLength(1)
  })

  it('bring figures that are not known here', () => {
    noteGame(game('a', 1))
    noteFigures('a', null, null)
    merge([{ ...game('a', 1), accuracy: 70, luck: 0.1 }])
    expect(played()[0]).toMatchObject({ accuracy: 70, luck: 0.1 })
  })

  it('take nothing else out of a file', () => {
    const bad = [
      null,
      7,
      { ...game('a', 1), id: '../x' },
      { ...game('b', 1), seat: 2 },
      { ...game('c', 1), people: [people[0]] },
      { ...game('d', 1), people: [people[0], { kind: 'ghost', name: '', bot: null }] },
      { ...game('e', 1), when: 'now' },
    ]
    expect(merge(bad)).toBe(0)
    expect(merge({ not: 'a list' })).toBe(0)
    merge([{ ...game('f', 1), more: 'x', accuracy: 'high', luck: 1 }])
    expect(played()).toEqual([game('f', 1)])
  })

  it('end as their places say', () => {
    expect(howFor(0, 'bar', [1, 2])).toBe('won')
    expect(howFor(1, 'bar', [1, 2])).toBe('lost')
    expect(howFor(1, 'bar', [1, 1, 3])).toBe('shared')
    expect(howFor(0, 'draw', [1, 1])).toBe('draw')
  })
})
