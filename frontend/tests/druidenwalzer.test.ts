import { describe, expect, it } from 'vitest'
import { layOut, onOval, stretch } from '../src/games/druidenwalzer/layout'
import { jump, readMove, retreat, waltz, withdraw } from '../src/games/druidenwalzer/notation'
import { lastPlaces, scene } from '../src/games/druidenwalzer/scene'
import { asks, outlook, outlookInWords } from '../src/games/druidenwalzer/speech'
import { readCard, type DwView, type Tree } from '../src/games/druidenwalzer/view'
import type { Foreseen } from '../src/lib/protocol'
import { speak } from '../src/lib/words.svelte'

const OVAL = ['S4', 'S3', 'S2', 'S1', 'MC', 'M4', 'M3', 'M2', 'M1', 'SC']
const tree = (name: string, more: Partial<Tree> = {}): Tree => ({
  name,
  seat: name.startsWith('S') ? 'sun' : 'moon',
  number: Number(name[1]),
  top: 's5<',
  cards: 3,
  down: 1,
  tokens: 0,
  lost: false,
  druid: null,
  must_fill: false,
  covered: [],
  ...more,
})
const view = (trees: Tree[] = []): DwView =>
  ({
    phase: 'turn',
    turn: 'sun',
    oval: OVAL,
    trees: OVAL.filter((name) => !name.endsWith('C')).map((name) => trees.find((one) => one.name === name) ?? tree(name)),
    ring: null,
    resting: null,
    jump_to: { sun: 4, moon: 4 },
    meeting: [],
    cult: { sun: [], moon: [] },
    pile: { sun: 5, moon: 5 },
    hand: { sun: ['s1<', 's2>', null], moon: ['?', '?', '?'] },
  }) as unknown as DwView

describe('the oval', () => {
  it('has ten places, the own row below', () => {
    for (const own of ['sun', 'moon'] as const) {
      const layout = layOut(OVAL, own, false)
      expect(layout.ring.map((place) => place.name)).toEqual(OVAL)
      const below = layout.ring.filter((place) => place.out > 0).map((place) => place.name)
      expect(below.every((name) => name.startsWith(own === 'sun' ? 'S' : 'M'))).toBe(true)
      expect(onOval(layout, 3)).toEqual({ x: layout.ring[3]!.x, y: layout.ring[3]!.y })
    }
  })
  it('clockwise and counter-clockwise go all the way round together', () => {
    const layout = layOut(OVAL, 'sun', false)
    const one = stretch(layout, 'S1', 'M2', '<').turns
    const other = stretch(layout, 'S1', 'M2', '>').turns
    expect(one).toBeGreaterThan(0)
    expect(other).toBeLessThan(0)
    expect(one - other).toBe(OVAL.length)
  })
})

describe('moves', () => {
  it('are read back as they are written', () => {
    expect(readMove(waltz('s5<', 3, 'sun'), 'sun')).toEqual({ kind: 'waltz', card: 's5<', tree: 3 })
    expect(readMove(waltz('m5<', 3, 'sun'), 'sun')).toEqual({ kind: 'waltz', card: 'm5<', tree: 3 })
    expect(readMove(retreat('s2>', 'sun'), 'sun')).toEqual({ kind: 'retreat', card: 's2>' })
    expect(readMove(withdraw(2), 'sun')).toEqual({ kind: 'withdraw', tree: 2 })
    expect(readMove(jump('black'), 'sun')).toEqual({ kind: 'jump', colour: 'black' })
    expect(readCard('m7>')).toEqual({ sign: 'moon', value: 7, arrow: '>' })
    expect(readCard('?')).toBeNull()
  })
})

describe('scenes', () => {
  it('a card goes from the hand to its tree, with the ring', () => {
    const before = view([tree('S2', { druid: 'black' })])
    const shown = scene(before, { kind: 'played', seat: 'sun', place: 1, tree: 'S2', card: 's1<' }, [], before)
    expect(shown.during.hand.sun[0]).toBeNull()
    expect([shown.view.ring, shown.view.resting]).toEqual(['S2', 'black'])
    expect(shown.view.trees.find((one) => one.name === 'S2')).toMatchObject({ top: 's1<', cards: 4 })
    expect(before.hand.sun[0]).toBe('s1<')
  })
  it('who rests is read off the story: whoever meets does not', () => {
    const before = view([tree('S2', { druid: 'black' })])
    const played = { kind: 'played', seat: 'sun', place: 1, tree: 'S2', card: 's1<' }
    const resting = (rest: object[], last = before) => scene(before, played, rest as never, last).view.resting
    expect(resting([{ kind: 'met', colour: 'orange' }, { kind: 'ring_back' }])).toBe('black')
    expect(resting([{ kind: 'met', colour: 'black' }])).toBeNull()
    expect(resting([], { ...before, ring: 'S2', resting: null })).toBeNull()
  })
  it('what lies open again is named by what follows, or else by the view after', () => {
    const before = view([tree('S2', { cards: 3, down: 1, top: 's9<' })])
    const gone = { kind: 'danced', from: 'S2', to: 'S1', depth: 2, card: 's9<', way: '<' }
    const next = { kind: 'danced', from: 'S2', to: 'S4', depth: 1, card: 'm3>', way: '>' }
    const topOf = (one: DwView) => one.trees.find((found) => found.name === 'S2')!.top
    expect(topOf(scene(before, gone, [next], before).view)).toBe('m3>')
    expect(topOf(scene(before, gone, [], view([tree('S2', { top: 'm4<', cards: 2 })])).view)).toBe('m4<')
    const down = view([tree('S2', { cards: 2, down: 1, top: 's9<' })])
    expect(topOf(scene(down, { ...gone, depth: 1 }, [], down).view)).toBe('?')
  })
  it('the last move is marked with all who danced', () => {
    const told = (event: object) => ({ event: event as never, note: null })
    const played = told({ kind: 'played', tree: 'M3' })
    const danced = told({ kind: 'danced', from: 'S1', to: 'M2' })
    expect(lastPlaces([played, danced, told({ kind: 'token', tree: 'S3' }), told({ kind: 'turn', seat: 'sun' })])).toEqual(['M3', 'M2'])
    expect(lastPlaces([told({ kind: 'turn' }), told({ kind: 'druid_moved', to: 'S4' })])).toEqual(['S4'])
  })
})

describe('looking ahead', () => {
  it('tokens in signs, and in words that need no explaining', async () => {
    await speak('de')
    const token = (at: string, share: number): Foreseen => ({ event: { kind: 'token', tree: at }, share, instead: [], because: [] })
    const foreseen = [token('M1', 1), token('M2', 0.3), token('S3', 1)]
    expect(outlook(foreseen, 0, view())).toBe('+1,3 −1')
    expect(outlookInWords(foreseen, 0, view())).toBe('Kultzeichen: etwa 1,3 für dich, 1 gegen dich')
    expect(outlookInWords(foreseen, 1, view())).toBe('Kultzeichen: 1 für dich, etwa 1,3 gegen dich')
    expect(outlookInWords([token('M1', 0.01)], 0, view())).toBe('')
    expect(outlook([], 0, view())).toBe('')
  })
})

describe('the question', () => {
  it('names no other moves than those that it is asked for', () => {
    const asked = (...moves: string[]) => asks(view(), 0, 0, moves).key
    expect(asked('W 4<@1', 'J black', 'R 4<')).toBe('web.dw.ask.turn')
    expect(asked('W 4<@1', 'R @2')).toBe('web.dw.ask.turn_no_jump')
    expect(asked('W 4<@1', 'J black')).toBe('web.dw.ask.turn_no_retreat')
    expect(asked('W 4<@1')).toBe('web.dw.ask.turn_waltz')
  })
})
