import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { face, leftNow, length } from '../src/lib/clock'
import { readComponents } from '../src/lib/componentfile'
import { levelAfter, opponent } from '../src/lib/opponents'
import type { GameInfo } from '../src/lib/protocol'
import { changed } from '../src/lib/changes'
import { sha256 } from '../src/lib/sha256'
import { groupOf } from '../src/lib/game'
import { eventKey, pieces, reasonKey, say, speak } from '../src/lib/words.svelte'

describe('sha256', () => {
  it('agrees with Node for every length around a block', () => {
    for (let size = 0; size < 200; size++) {
      const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 37 + size) & 255)
      expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
    }
  })
})

describe('clocks', () => {
  it('runs for one seat alone, and stops at nothing', () => {
    const clocks = { left: [5000, 3000], running: 0 }
    expect(leftNow(clocks, 100, 0, 1100)).toBe(4000)
    expect(leftNow(clocks, 100, 1, 1100)).toBe(3000)
    expect(leftNow(clocks, 0, 0, 9000)).toBe(0)
  })
  it('has a face', () => {
    expect(face(4 * 60_000 + 5000, 'en')).toBe('4:05')
    expect(face(3_729_000, 'en')).toBe('1:02:09')
    expect(length(300, 'en')).toBe('5 minutes')
    expect(length(2 * 86400, 'de')).toBe('2 Tage')
  })
})

describe('opponents', () => {
  const bot = (name: string, level: number | null = null) => ({ name, level, elo: null, within: null })
  const game = {
    name: 'celtica',
    players: [2, 5],
    bots: [bot('random'), bot('greedy'), bot('level-1', 1), bot('level-2', 2)],
  } as unknown as GameInfo
  it('begin with the one whom a newcomer can beat, and go on level by level', () => {
    expect(opponent(game)).toBe('level-1')
    expect(levelAfter(game, 'level-1')).toEqual({ bot: 'level-2', level: 2 })
    expect(levelAfter(game, 'level-2')).toBe(null)
    expect(levelAfter(game, 'greedy')).toBe(null)
  })
  it('are those that one has gone on to, where they are still there', () => {
    localStorage.setItem('drunemeton.levels', '{"celtica": "level-2"}')
    expect(opponent(game)).toBe('level-2')
    localStorage.setItem('drunemeton.levels', '{"celtica": "level-9"}')
    expect(opponent(game)).toBe('level-1')
    localStorage.setItem('drunemeton.levels', 'nonsense')
    expect(opponent(game)).toBe('level-1')
  })
})

describe('component files', () => {
  it('reads TOML as the house writes it, and JSON', () => {
    const path = new URL('../../src/drunemeton/rules/celtica/data/components.toml', import.meta.url)
    const read = readComponents(readFileSync(path, 'utf8'))
    expect('components' in read && Object.keys(read.components)).not.toContain('provenance')
    expect(readComponents('{"provenance": {}, "hand": 5}')).toEqual({ components: { hand: 5 } })
  })
  it('names the line that cannot be read', () => {
    expect(readComponents('a = 1\nb = = 2\n')).toEqual({ line: 2 })
    expect(readComponents('{"a": ')).toEqual({ line: 1 })
  })
})

describe('a view with changes', () => {
  it('changes what is named and keeps the rest as it was', () => {
    const view = { hand: [1, 2], trees: { a: { n: 1 }, b: { n: 2 } } }
    const after = changed(view, [[['trees', 'a', 'n'], 5], [['trees', 'b']], [['hand', 1], 9]]) as typeof view
    expect(after).toEqual({ hand: [1, 9], trees: { a: { n: 5 } } })
    expect(view).toEqual({ hand: [1, 2], trees: { a: { n: 1 }, b: { n: 2 } } })
  })
  it('shares what does not change', () => {
    const view = { a: { x: 1 }, b: { y: 1 } }
    expect(changed(view, [[['a', 'x'], 2]]).b).toBe(view.b)
  })
})

describe('variants', () => {
  it('a number is no reading of the rules', () => {
    const option = { kind: 'int', default: 2, rule: 'DD-5.3' } as const
    expect(groupOf('daemonen', { ...option, name: 'dark_spells' })).toBe('numbers')
    expect(groupOf('daemonen', { ...option, name: 'longest_game' })).toBe('length')
    expect(groupOf('daemonen', { ...option, name: 'first_player', seat: true })).toBe('start')
    expect(groupOf('daemonen', { ...option, name: 'one_exchange', kind: 'bool' })).toBe('rulings')
  })
})

describe('words', () => {
  it('speaks the chosen language, counts, and keeps values apart', async () => {
    await speak('de')
    expect(say('web.play_now')).toBe('Jetzt spielen')
    expect(pieces('web.continue.with', { names: 'Igel' })).toEqual(['mit ', { name: 'names', value: 'Igel' }])
    expect(say('no.such.key')).toBe('no.such.key')
    expect(eventKey('dw', { kind: 'no_such_event' })).toBeNull()
    expect(eventKey('ce', { kind: 'laid', seat: 'ulster', deck: 'experience', card: 'red' })).toBe('event.ce.laid.experience')
    expect(eventKey('ce', { kind: 'dealt', seat: 'ulster', deck: 'druid', card: null })).toBe('event.ce.dealt.druid.hidden')
    expect(reasonKey({ code: 'not_your_turn', rule: null, params: {} })).toBe('reason.not_your_turn')
    expect(reasonKey({ code: 'no_such_reason', rule: null, params: {} })).toBe('reason.unknown')
  })
})
