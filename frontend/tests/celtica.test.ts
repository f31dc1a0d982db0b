import { describe, expect, it } from 'vitest'
import { layOut, raised } from '../src/games/celtica/layout'
import { playText, readMove, ruinOf, stopOf } from '../src/games/celtica/notation'
import { completes, lastWalk, scene } from '../src/games/celtica/scene'
import { foretold, ofTheMove, outlook } from '../src/games/celtica/speech'
import type { Foreseen } from '../src/lib/protocol'
import type { TableState } from '../src/lib/table.svelte'
import { speak } from '../src/lib/words.svelte'
import { KINDS, rings, type CeView, type Change, type Player } from '../src/games/celtica/view'
import { druidRests } from '../src/games/celtica/whynot'

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
        { cards: 1, place: 1, kind: 'village', parts: 1, takes: 1, needs: 1, loses: [] },
        { cards: 2, place: 2, kind: 'ruin', parts: -2, takes: 0, needs: 0, loses: ['oak'] },
        { cards: 3, place: 3, kind: 'ruin', parts: -2, takes: 0, needs: 0, loses: [] },
      ],
    },
    rests: { black: { why: 'no_card_of', rule: 'CE-3.1' } },
    if_taken: {},
    if_given: {},
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
    expect(ruinOf('white 2', view())?.loses).toEqual(['oak'])
    expect(ruinOf('white 1', view())).toBeNull()
    expect(ruinOf('white 3', view())).toBeNull()
    expect(druidRests(view(), 'black')).toEqual({ code: 'web.ce.no_card_of', rule: 'CE-3.1', params: { colour: 'black' } })
  })
})

describe('the outcome of a move', () => {
  const seen = (kind: string, share = 1, more: object = {}): Foreseen => ({ event: { kind, ...more }, share, instead: [], because: [] })
  const taking = [
    seen('taken', 1, { seat: 'ulster', part: 'star' }),
    seen('part_shown', 0.4),
    seen('turn'),
    seen('walked', 0.3),
    seen('stayed', 0.2),
  ]
  const told = (armed: string, more: Partial<CeView>) =>
    foretold.notes!(taking, { armed, seat: 0, shown: view(more) } as unknown as TableState<CeView>).map(({ text }) => text)

  it('is not what others may be forced to do afterwards, save that it surely ends the game', async () => {
    await speak('en')
    expect(ofTheMove(taking).map(({ event }) => event.kind)).toEqual(['taken', 'part_shown'])
    expect(ofTheMove([...taking, seen('ended', 0.2), seen('ended')]).map(({ share }) => share)).toEqual([1, 0.4, 1])
    expect(outlook(taking, 0, view())).toBe('+1 part')
    const walk = (to: number) => outlook([seen('walked', 1, { colour: 'white', from: 0, to })], 0, view())
    expect([walk(1), walk(2), walk(3)]).toEqual(['+1 part · 1 needed', '−1 part', '±0'])
    expect(foretold.own!(taking, { armed: 'take star' } as TableState<CeView>).map(({ event }) => event.kind)).toEqual(['part_shown'])
  })
  it('says what a part does to the amulet, as the view tells it', async () => {
    await speak('en')
    const take = (what: Change['what'], parts: number) => told('take star', { if_taken: { star: { what, parts } } })
    const give = (what: Change['what'], parts: number) => told('give sun', { if_given: { sun: { what, parts } } })
    expect(take('grows', 3)).toEqual(['Your amulet then has 3 of 9 parts.'])
    expect(take('twice', 1)).toEqual(['You have this one already: your amulet does not grow.'])
    expect(take('completes', 9)).toEqual(['That completes an amulet!'])
    expect(give('spare', 1)).toEqual(['You have another one: your amulet stays as it is.'])
    expect(give('shrinks', 1)).toEqual(['Your amulet then has 1 of 9 parts.'])
    expect(give('breaks', 8)).toEqual(['That breaks a complete amulet!'])
  })
})

describe('scenes', () => {
  it('with a new round everybody plays again, before the cards are dealt', () => {
    const [before, last] = [false, true].map((playing) => view({ players: [{ ...player('ulster', {}), playing }] }))
    const round = { kind: 'round', round: 2, starter: 'ulster' }
    expect(scene(before!, round, [{ kind: 'dealt' }], last!).view.players[0]!.playing).toBe(true)
    expect(scene(before!, round, [], before!).view.players[0]!.playing).toBe(false)
  })
  it('an amulet that becomes complete is a moment, and lasts longer', () => {
    const [ulster, meath] = view().players as [Player, Player]
    const last = view({ players: [{ ...ulster, parts: { ...ulster.parts, sun: 1 }, complete: 1, amulets: [9], lacking: KINDS }, meath] })
    const whole = scene(view(), { kind: 'taken', seat: 'ulster', part: 'sun' }, [], last)
    expect(completes(whole)).toBe('ulster')
    expect(whole.view.players[0]).toEqual(last.players[0])
    const early = scene(view(), { kind: 'taken', seat: 'ulster', part: 'moon' }, [{ kind: 'taken', seat: 'ulster', part: 'sun' }], last)
    expect(completes(early)).toBeNull()
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
