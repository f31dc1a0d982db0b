import { describe, expect, it } from 'vitest'
import { table as celtica } from '../src/games/celtica/table'
import { table as daemonen } from '../src/games/daemonen/table'
import { table as druidenwalzer } from '../src/games/druidenwalzer/table'
import { canWatch, inShort, shownAgain, sinceOurTurn, stopWatching, watchAgain } from '../src/lib/follow'
import type { GameTable } from '../src/lib/game'
import { connectionOver, connections, type Connection } from '../src/lib/connection'
import type { GameEvent } from '../src/lib/protocol'
import { perform } from '../src/lib/stage'
import { skip, TableState, type Told } from '../src/lib/table.svelte'

const told = (event: object): Told => ({ event: event as GameEvent, note: null, because: [] })
const keys = (log: Told[], game: GameTable) => inShort(log, game).map((one) => one.key.replace(/^web\.\w+\.recap\./, ''))

describe('since our turn', () => {
  const ours = [told({ kind: 'turn', seat: 'ulster' }), told({ kind: 'walked', colour: 'red', from: 1, to: 2 })]
  const connacht = [
    told({ kind: 'turn', seat: 'connacht' }),
    told({ kind: 'walked', colour: 'grey', from: 0, to: 3 }),
    told({ kind: 'taken', seat: 'connacht', part: 'moon' }),
  ]
  const leinster = [told({ kind: 'turn', seat: 'leinster' }), told({ kind: 'stayed', colour: 'grey' })]

  it('tells of each other player what he did after our last doing', () => {
    const log = [...leinster, ...ours, ...connacht, ...leinster, told({ kind: 'turn', seat: 'ulster' })]
    const doings = sinceOurTurn(log, celtica, 0)
    expect(doings.map(({ seat }) => seat)).toEqual(['connacht', 'leinster'])
    expect(keys(doings[0]!.told, celtica)).toEqual(['walked', 'taken'])
    expect(keys(doings[1]!.told, celtica)).toEqual(['stayed'])
  })
  it('is over once we have done something', () => {
    expect(sinceOurTurn([...connacht, ...ours], celtica, 0)).toEqual([])
  })
  it('counts what happens to our pieces as the doing of whose turn it is', () => {
    const log = [told({ kind: 'turn', seat: 'blue' }), told({ kind: 'population_lost', seat: 'red', cell: '1,0' })]
    expect(sinceOurTurn(log, daemonen, 0).map(({ seat }) => seat)).toEqual(['blue'])
  })
  it('goes by who is named before there are turns', () => {
    const log = [told({ kind: 'druid_set', seat: 'sun', tree: 1 }), told({ kind: 'druid_set', seat: 'moon', tree: 2 })]
    expect(sinceOurTurn(log, druidenwalzer, 0).map(({ seat }) => seat)).toEqual(['moon'])
  })
})

describe('a turn in short', () => {
  it('of Druidenwalzer: the action, the dances, the tokens', () => {
    const log = ['played', 'danced', 'danced'].map((kind) => told({ kind, tree: 'S1' }))
    expect(keys([...log, told({ kind: 'token', tree: 'M2' })], druidenwalzer)).toEqual(['played', 'danced', 'token'])
    expect(inShort(log, druidenwalzer)[1]!.params).toEqual({ count: 2 })
  })
  it('of Dämonen: what was done and the points, or what was chosen in vain', () => {
    expect(keys([told({ kind: 'chosen', action: 'light' })], daemonen)).toEqual(['chosen'])
    const log = [
      { kind: 'chosen', seat: 'red', action: 'light' },
      { kind: 'stone_placed', corner: '0,0/1' },
      { kind: 'scored', seat: 'red', points: 4 },
      { kind: 'scored', seat: 'blue', points: 3 },
    ]
    expect(keys(log.map(told), daemonen)).toEqual(['stone_placed', 'scored_own', 'scored'])
  })
})

describe('the places of a line', () => {
  it('are named as each board draws them', () => {
    const of = (game: GameTable, event: object) => game.places!([event as GameEvent])
    expect(of(druidenwalzer, { kind: 'danced', from: 'S1', to: 'MC', card: 's5<' })).toEqual(['S1', 'MC'])
    expect(of(druidenwalzer, { kind: 'met', trees: ['S2', 'M3'] })).toEqual(['S2', 'M3'])
    expect(of(celtica, { kind: 'walked', colour: 'red', from: 2, to: 4 })).toEqual(['place 2', 'place 3', 'place 4', 'druid red'])
    expect(of(celtica, { kind: 'given', seat: 'meath', part: 'oak' })).toEqual(['player meath', 'display oak'])
    expect(of(daemonen, { kind: 'moved', from: '1,0', to: '2,-1' })).toEqual(['2,-1', '1,0'])
  })
})

describe('watching again', () => {
  const view = (n: number) => ({ n })
  const game = {
    prefix: 'xx',
    told: () => true,
    scene: (before: { n: number }, event: GameEvent) => scene(before.n, event),
  } as unknown as GameTable
  const scene = (n: number, event: GameEvent) => ({ event, during: view(n), view: view(n + 1), ms: 5 })
  function seated(): { table: TableState; connection: Connection } {
    const table = new TableState('t', 's', game)
    const connection = connectionOver({ send: () => true, close: () => undefined })
    connections.set(table, connection)
    return { table, connection }
  }

  it('keeps how a line was shown even where nothing was waited for', async () => {
    const { table, connection } = seated()
    table.shown = view(0)
    table.skipping = true
    const log: Told[] = []
    const events = [{ kind: 'a' }, { kind: 'b' }] as GameEvent[]
    await perform(table, { events, because: [], last: view(2), cue: connection, stopped: () => false, told: (one) => log.push(one) })
    expect(log.map((one) => one.scene?.view)).toEqual([view(1), view(2)])
  })
  it('returns to the table as it stands', async () => {
    const { table } = seated()
    table.shown = view(9)
    const seen: unknown[] = []
    const run = watchAgain(table, [{ ...told({ kind: 'a' }), scene: scene(3, { kind: 'a' } as GameEvent) }])
    seen.push(table.shown, table.scene?.event.kind)
    skip(table)
    await run
    expect(seen).toEqual([view(3), 'a'])
    expect([table.shown, table.scene, table.skipping]).toEqual([view(9), null, false])
  })
  it('gives way to what happens meanwhile', async () => {
    const { table } = seated()
    table.shown = view(9)
    const run = watchAgain(
      table,
      [1, 2].map((n) => ({ ...told({ kind: 'a' }), scene: scene(n, { kind: 'a' } as GameEvent) })),
    )
    stopWatching(table)
    table.shown = view(10)
    await run
    expect(table.shown).toEqual(view(10))
  })
  it('asks how the table stood when a line was told before we came', async () => {
    const { table, connection } = seated()
    const sent: Record<string, unknown>[] = []
    connection.socket = { send: (message) => sent.push(message) > 0, close: () => undefined }
    table.revision = 7
    table.shown = view(9)
    const note: Told = { event: null, note: { key: 'x' }, because: [] }
    table.log = [told({ kind: 'a' }), note, { ...told({ kind: 'gone' }), undone: true }, told({ kind: 'b' }), told({ kind: 'c' })]
    expect(table.log.map((one) => canWatch([one]))).toEqual([true, false, false, true, true])
    void watchAgain(table, [table.log[3]!])
    const { id } = sent[0] as { id: string }
    expect(sent).toEqual([{ type: 'again', id, revision: 7, first: 1, last: 1 }])
    expect(table.scene).toBeNull()
    // The step told two events: the second is the one that was asked about.
    const steps = [{ events: 2, changes: [[['n'], 6]] }]
    shownAgain(table, connection, { type: 'again', id: 'another', first: 0, view: view(4), steps })
    expect(table.scene).toBeNull()
    shownAgain(table, connection, { type: 'again', id, first: 0, view: view(4), steps })
    expect([table.scene?.event.kind, table.shown]).toEqual(['b', view(5)])
    skip(table)
    await new Promise((done) => setTimeout(done))
    expect(table.shown).toEqual(view(9))
    expect(table.log.map((one) => one.scene?.view)).toEqual([view(5), undefined, undefined, view(6), undefined])
  })
})

describe('what harms a seat is no reason for its moves', () => {
  it('by each game', () => {
    const of = (game: GameTable, event: object, seat: string) => game.harms!(event as GameEvent, seat)
    expect(of(druidenwalzer, { kind: 'token', tree: 'M2' }, 'moon')).toBe(true)
    expect(of(druidenwalzer, { kind: 'token', tree: 'M2' }, 'sun')).toBe(false)
    expect(of(druidenwalzer, { kind: 'ended', winner: 'moon' }, 'moon')).toBe(false)
    expect(of(celtica, { kind: 'given', seat: 'ulster', part: 'oak' }, 'ulster')).toBe(true)
    expect(of(celtica, { kind: 'taken', seat: 'ulster', part: 'oak' }, 'ulster')).toBe(false)
    expect(of(daemonen, { kind: 'captured', seat: 'blue', owner: 'red' }, 'red')).toBe(true)
    expect(of(daemonen, { kind: 'stone_lost', seat: 'blue' }, 'red')).toBe(false)
  })
})
