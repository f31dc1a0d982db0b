import { describe, expect, it } from 'vitest'
import { layOut, raised } from '../src/games/celtica/layout'
import { playText, readMove, ruinOf, stopOf } from '../src/games/celtica/notation'
import { completes, lastWalk, scene } from '../src/games/celtica/scene'
import { KINDS, rings, type CeView, type Player } from '../src/games/celtica/view'

const player = (seat: string, parts: Player['parts']): Player => ({
  seat,
  hand: [],
  experience: [],
  playing: true,
  parts,
  amulets: [],
  complete: 0,
  lacking: [],
  rank: 1,
})
const view = (more: Partial<CeView> = {}): CeView =>
  ({
    phase: 'take',
    turn: 'ulster',
    players: [player('ulster', Object.fromEntries(KINDS.slice(1).map((kind) => [kind, 1]))), player('meath', { sun: 2 })],
    display: { sun: 2 },
    given: {},
    supply: 10,
    places: [],
    druids: { white: 0, red: 0, grey: 0, brown: 0, black: 0 },
    stops: {
      white: [
        { cards: 1, place: 1, kind: 'village', parts: 1 },
        { cards: 2, place: 2, kind: 'ruin', parts: -2 },
      ],
    },
    loses: ['oak', 'sun', 'moon'],
    ...more,
  }) as CeView

describe('the island', () => {
  it('leaves room between any number of places, within its coast', () => {
    for (const count of [10, 19, 40]) {
      const { places, step } = layOut(count, 700, 560)
      expect(places).toHaveLength(count)
      expect(step).toBeGreaterThan(30)
      expect(places.every(({ x, y }) => x > 0 && x < 700 && y > 0 && y < 560)).toBe(true)
    }
  })
  it('shows the heads of all who stand on it, at their places', () => {
    for (const [width, height] of [
      [700, 560],
      [820, 430],
      [560, 330],
      [374, 300],
      [374, 158],
    ] as const)
      for (const count of [10, 19, 40]) {
        const { places, radius, druid } = layOut(count, width, height)
        for (const place of places) {
          const y = raised(place, radius * 0.75, druid)
          expect(y - druid * 0.55).toBeGreaterThanOrEqual(0)
          expect(y - (place.y - radius * 0.75)).toBeLessThan(4)
          expect(place.y + radius).toBeLessThan(height)
        }
      }
  })
})

describe('moves', () => {
  it('are read and written as the rules write them', () => {
    expect(readMove('white 2+1')).toEqual({ kind: 'play', colour: 'white', druid: 2, experience: 1 })
    expect(playText('white', 2, 1)).toBe('white 2+1')
    expect(playText('red', 3, 0)).toBe('red 3')
    expect(readMove('swap sun oak')).toEqual({ kind: 'swap', own: 'sun', part: 'oak' })
  })
  it('lead where the view says, and lose what the view says', () => {
    expect(stopOf(view(), 'white', 1)?.place).toBe(1)
    expect(stopOf(view(), 'black', 1)).toBeNull()
    expect(ruinOf('white 2', view())?.parts).toEqual(['oak', 'sun'])
    expect(ruinOf('white 1', view())).toBeNull()
    expect(ruinOf('white 2', view({ loses: [] }))).toBeNull()
  })
})

describe('scenes', () => {
  it('an amulet that becomes complete is a moment, and lasts longer', () => {
    const whole = scene(view(), { kind: 'taken', seat: 'ulster', part: 'sun' }, [], view())
    expect(completes(whole)).toBe('ulster')
    const other = scene(view(), { kind: 'taken', seat: 'meath', part: 'sun' }, [], view())
    expect(completes(other)).toBeNull()
    expect(whole.ms).toBeGreaterThan(other.ms)
    expect(rings(whole.view.players[0]!)[0]).toHaveLength(KINDS.length)
  })
  it('parts go from the display to the player, and nobody is ranked anew', () => {
    const before = view()
    const shown = scene(before, { kind: 'taken', seat: 'meath', part: 'sun' }, [], before)
    expect(shown.during.display).toEqual({ sun: 1 })
    expect(shown.view.players[1]!.parts).toEqual({ sun: 3 })
    expect(shown.view.players.map((one) => one.rank)).toEqual([1, 1])
    expect(before.display).toEqual({ sun: 2 })
  })
  it('the last walk is marked until a new round', () => {
    const told = (event: object) => ({ event: event as never, note: null })
    const walk = told({ kind: 'walked', colour: 'red', from: 2, to: 5 })
    expect(lastWalk([walk, told({ kind: 'taken' })])).toEqual({ colour: 'red', from: 2, to: 5 })
    expect(lastWalk([walk, told({ kind: 'round' })])).toBeNull()
  })
})
