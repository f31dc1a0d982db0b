import { describe, expect, it } from 'vitest'
import { around, fit, toScreen, toWorld } from '../src/games/daemonen/camera'
import { nextTarget } from '../src/games/daemonen/keyboard.svelte'
import { cellAt, cornerNear, placeOf, turned } from '../src/games/daemonen/layout'
import { heard, inFull, moveGroups, readMove } from '../src/games/daemonen/notation'
import { lastPlaces, scene } from '../src/games/daemonen/scene'
import { asks, foretold, outlook, says, warns } from '../src/games/daemonen/speech'
import type { Cell, DdView, Player } from '../src/games/daemonen/view'
import type { TableState } from '../src/lib/table.svelte'
import { say, speak } from '../src/lib/words.svelte'
import { questionAt } from '../src/games/daemonen/whynot.svelte'

const cell = (name: string, more: Partial<Cell> = {}): Cell => {
  const [q = 0, r = 0] = name.split(',').map(Number)
  return { cell: name, q, r, kind: 'land', sides: 'FFWWMM', demon: false, anchor: false, population: null, temple: false, ...rest, ...more }
}
const rest = { temple_of: null, stones: 0, habitable: true, at_portal: false, moved: false }
const player = (seat: Player['seat'], points: number): Player => ({
  seat,
  points,
  points_from: { populations: points, stones: 0, temples: 0 },
  populations: points,
  stones: 0,
  temples: 0,
  reserve: 20,
  stone_reserve: 9,
  trophies: 0,
  reach: [],
  chains: [],
  next: { demons: [], moves: [], captures: [], settles: [] },
})
const view = (more: Partial<DdView> = {}): DdView => ({
  phase: 'choose',
  turn: 'red',
  turns: 1,
  cells: [cell('1,0', { population: 'red' }), cell('2,0'), cell('1,1')],
  corners: [{ corner: '1,0/0', cells: ['1,0'], stone: null, ready: false }],
  players: [player('red', 1), player('blue', 0)],
  in_hand: null,
  pile: 10,
  demon_pool: 5,
  temple_pool: 3,
  chosen: [],
  banned: [],
  prospects: [],
  left: 0,
  at_most: 0,
  price: 0,
  half: null,
  frontier: [],
  lays: [],
  win: 36,
  end: null,
  winners: [],
  ...more,
})

describe('places', () => {
  it('are found again under the finger', () => {
    for (let q = -6; q <= 6; q++) for (let r = -6; r <= 6; r++) expect(cellAt(placeOf(`${q},${r}`))).toBe(`${q},${r}`)
  })
  it('a tap near a corner means the corner, and no farther', () => {
    const at = placeOf('1,0/0')
    expect(cornerNear(view().corners, { x: at.x + 9, y: at.y }, 18)?.corner).toBe('1,0/0')
    expect(cornerNear(view().corners, { x: at.x + 40, y: at.y }, 18)).toBeUndefined()
  })
  it('a field turned six times lies as before', () => {
    expect(turned('FWMFWM', 6)).toBe('FWMFWM')
    expect(turned('FWMMMM', 1)).toBe('MFWMMM')
  })
  it('the window shows all the land, and screen and world agree', () => {
    const camera = fit(around(view().cells), 800, 600)
    for (const one of view().cells) {
      const at = toScreen(camera, placeOf(one.cell))
      expect(at.x > 0 && at.x < 800 && at.y > 0 && at.y < 600).toBe(true)
      const back = toWorld(camera, at)
      expect(Math.hypot(back.x - placeOf(one.cell).x, back.y - placeOf(one.cell).y)).toBeLessThan(1e-6)
    }
  })
  it('arrows go to the nearest place ahead', () => {
    const target = (place: string) => ({ place, corner: false, ...placeOf(place) })
    const targets = ['1,0', '2,0', '4,0', '0,2'].map(target)
    expect(nextTarget(targets, placeOf('1,0'), { x: 1, y: 0 })?.place).toBe('2,0')
    expect(nextTarget(targets, placeOf('4,0'), { x: 1, y: 0 })).toBeUndefined()
  })
})

describe('moves', () => {
  it('are read as they are written', () => {
    expect(readMove('lay 1,-2 r3')).toEqual({ verb: 'lay', place: '1,-2', rotation: 3 })
    expect(readMove('from pool')).toEqual({ verb: 'from_pool', place: null, rotation: null })
    expect(readMove('choose dark')).toEqual({ verb: 'choose_dark', place: null, rotation: null })
  })
  it('are grouped by what they do, a field by its place with a picture of each way it may lie', () => {
    const legal = ['lay 3,0 r0', 'lay 3,0 r2', 'lay 0,1 r1', 'discard']
    const groups = moveGroups(legal, view({ in_hand: 'FWMMMM' }))
    expect(groups.map((group) => group.moves.length)).toEqual([2, 1, 1])
    expect(groups[0]!.moves.map((move) => move.short?.params?.card)).toEqual(['FWMMMM', 'MMFWMM'])
    expect(moveGroups(['demon 1,0', 'demon 2,0', 'anchor 1,0'], view()).map((group) => group.saying.key)).toEqual([
      'web.dd.group.demon',
      'web.dd.group.anchor',
    ])
  })
  it('are named with coordinates for those who listen', () => {
    expect(heard('lay 1,-2 r3')).toEqual({ key: 'web.dd.heard.lay', params: { cell: '1,-2', corner: '1,-2', rotation: 3 } })
    expect(heard('from 1,-2/0').key).toBe('web.dd.move.from_corner')
  })
  it('are told in full where one reads of them later: what is moved whither, and what is ended', () => {
    const key = (move: string, half: string | null, phase: DdView['phase'] = 'move') => inFull(move, view({ phase, half }))?.key
    expect(key('from 1,0', null)).toBe('web.dd.full.takes')
    expect(inFull('to 2,0', view({ phase: 'move', half: '1,0' }))).toMatchObject({
      key: 'web.dd.full.to',
      params: { cell: '2,0', place: '1,0' },
    })
    expect(key('from 1,0', '2,0', 'light')).toBe('web.dd.full.from')
    expect(key('from 1,0/0', '2,0/1', 'light')).toBe('web.dd.full.from_corner')
    expect(key('from reserve', '2,0/1', 'light')).toBe('web.dd.full.from_reserve')
    expect(key('from pool', '2,0', 'light')).toBe('web.dd.full.from_pool')
    expect(key('stop', null, 'scout')).toBe('web.dd.full.stop')
    expect(key('settle 1,0', null, 'populate')).toBeUndefined()
  })
  it('a tap beside the light asks for what it may have meant', () => {
    expect(questionAt(view({ phase: 'populate' }), '2,0', placeOf('2,0'), 'red')).toEqual(['settle', '2,0'])
    expect(questionAt(view({ phase: 'light' }), '1,0', placeOf('1,0/0'), 'red')).toEqual(['stone', '1,0/0'])
    expect(questionAt(view({ phase: 'light' }), '9,9', placeOf('9,9'), 'red')).toBeNull()
  })
  it('an action with which nothing can be done is asked about first', () => {
    const prospects = [
      { action: 'light', up_to: 2, twice: 4, possible: 0, places: {}, idle: true },
      { action: 'move', up_to: 2, twice: 4, possible: 0, places: {}, idle: false },
    ] as DdView['prospects']
    expect(warns('choose light', view({ prospects }))).toBeTruthy()
    expect(warns('choose move', view({ prospects }))).toBeNull()
    expect(warns('settle 2,0', view({ prospects }))).toBeNull()
  })
  it('drawing is not told to change nothing', () => {
    const told = (armed: string) => foretold.notes!([], { armed, shown: view() } as TableState<DdView>).map(({ text }) => text)
    expect(told('draw')).toEqual(['web.dd.draws'])
    expect(told('stop')).toEqual(['web.dd.nothing_more'])
  })
})

describe('scenes', () => {
  it('move a piece from where it lay to where it comes to lie', () => {
    const before = view()
    const shown = scene(before, { kind: 'moved', seat: 'red', from: '1,0', to: '2,0' }, [], before)
    const people = (one: DdView) => one.cells.filter((found) => found.population).map((found) => found.cell)
    expect(people(shown.during)).toEqual([])
    expect(people(shown.view)).toEqual(['2,0'])
    expect(people(before)).toEqual(['1,0'])
  })
  it('count nothing: sources of points come from the view that follows', () => {
    const last = view({ players: [player('red', 4), player('blue', 0)] })
    const shown = scene(view(), { kind: 'scored', seat: 'red', points: 4 }, [], last)
    expect(shown.view.players[0]).toEqual(player('red', 4))
    expect(shown.view.players[1]).toEqual(player('blue', 0))
  })
  it('know where the last action left its traces', () => {
    const told = (event: object) => ({ event: event as never, note: null })
    const log = [
      told({ kind: 'demon_placed', cell: '0,3' }),
      told({ kind: 'action', action: 'move' }),
      told({ kind: 'moved', seat: 'blue', from: '1,0', to: '2,0' }),
      told({ kind: 'turn', seat: 'red' }),
    ]
    expect(lastPlaces(log)).toEqual(['2,0', '1,0'])
    expect(lastPlaces([])).toEqual([])
  })
  it('say a field as it lies', () => {
    expect(says({ kind: 'laid', seat: 'red', card: 'FWMMMM', rotation: 2, cell: '1,0' })?.params?.card).toBe('MMFWMM')
    expect(says({ kind: 'moved', seat: 'red' })).toBeNull()
  })
})

describe('the question', () => {
  it('names the spells that can be cast, and no others', async () => {
    await speak('en')
    const asked = (phase: string, ...moves: string[]) => {
      const { key, params } = asks(
        { phase, at_most: 2, in_hand: null, half: null, chosen: [], players: [] } as unknown as DdView,
        0,
        0,
        moves,
      )
      return say(key, params)
    }
    expect(asked('light', 'stone 1,1/0', 'end')).toBe('Light magic, 2 spells: set a stone.')
    expect(asked('light', 'stone 1,1/0', 'temple 1,1', 'convert 2,1/0')).toBe(
      'Light magic, 2 spells: set a stone, build a temple, or make another’s stone yours.',
    )
    expect(asked('dark', 'demon 1,1', 'anchor 2,1')).toBe('Dark magic, 2 spells: lay a demon field or anchor a population.')
  })
  it('what is paid for is told with its price', async () => {
    await speak('en')
    const settled = (paid: number) => [{ event: { kind: 'settled', seat: 'red', cell: '2,0', paid }, share: 1, instead: [], because: [] }]
    expect(outlook(settled(3), 0, view())).toBe('3 trophies')
    expect(outlook(settled(0), 0, view())).toBe('')
    const asked = (more: Partial<DdView>) => asks(view({ phase: 'populate', ...more }), 0, 0, [])
    expect(asked({ price: 2 })).toEqual({ key: 'web.dd.ask.populate.trophies', params: { price: 2 } })
    expect(asked({ at_most: 4 })).toEqual({ key: 'web.dd.ask.populate', params: { left: 4 } })
  })
  it('an end is told with the action that it ends', async () => {
    await speak('en')
    const phases: DdView['phase'][] = ['dark', 'light', 'populate', 'move']
    const said = phases.map((phase) => say(inFull('end', view({ phase }))!.key))
    expect(said).toEqual(['End dark magic', 'End light magic', 'End settling', 'End moving'])
  })
})
