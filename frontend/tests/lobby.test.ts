/** What the lobby shows of our tables, and what a table asks: read off what the server has said. */
import { beforeEach, expect, it, vi } from 'vitest'
import { table as daemonen } from '../src/games/daemonen/table'
import type { Standing } from '../src/lib/protocol'
import { questionOf } from '../src/lib/question'
import { Standings } from '../src/lib/standings.svelte'
import { TableState } from '../src/lib/table.svelte'
import { myTables, type MyTable } from '../src/lib/tables'

const table = (id: string, made: number, more: object = {}): MyTable =>
  ({ id, game: 'daemonen', made, keys: [], seats: [{ seat: 0, session: `of ${id}` }], ...more }) as MyTable
const standing = (id: string, more: object = {}) =>
  ({
    table: id,
    there: true,
    over: false,
    turn: 1,
    undo_waiting: [],
    seats: [{ bot: false }, { bot: false }],
    ...more,
  }) as unknown as Standing

let asked: unknown[] = []
let found: Standing[] = []
beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', (address: string, request?: { body?: string }) => {
    if (request?.body) asked.push(JSON.parse(request.body))
    return Promise.resolve(new Response(JSON.stringify(address === '/api/mine' ? found : []), { status: 200 }))
  })
})
const keep = (...tables: MyTable[]) => localStorage.setItem('drunemeton.tables', JSON.stringify(tables))

it('where we are waited for comes first, then the newest', async () => {
  keep(table('old', 1), table('new', 3), table('bot', 2))
  const mine = new Standings()
  found = [standing('old', { turn: 0 }), standing('new'), standing('bot', { turn: 0, seats: [{ bot: true }, { bot: false }] })]
  expect(mine.running.map(({ id }) => id)).toEqual(['new', 'bot', 'old'])
  await mine.look()
  expect(mine.running.map(({ id }) => id)).toEqual(['old', 'new', 'bot'])
  found = [standing('new', { undo_waiting: [0] })]
  await mine.look()
  expect(mine.running.map(({ id }) => id)).toEqual(['new', 'bot', 'old'])
})

it('a game that has ended is noted with its end, and asked about no more', async () => {
  keep(table('done', 1), table('on', 2))
  const mine = new Standings()
  found = [standing('done', { over: true, changed: 7, result: { end: 'points', places: [1, 2] } }), standing('on')]
  await mine.look()
  expect(mine.running.map(({ id }) => id)).toEqual(['on'])
  expect(myTables().find(({ id }) => id === 'done')?.ended).toMatchObject({ end: 'points', when: 7 })
  asked = []
  await mine.look()
  expect(JSON.stringify(asked)).not.toContain('of done')
  expect(JSON.stringify(asked)).toContain('of on')
  mine.drop('on')
  expect(mine.running).toEqual([])
})

it('a question waits for who is away, says what was played for us, and asks nothing once a stage is done', () => {
  const state = new TableState('t', 's', daemonen)
  const asks = vi.spyOn(daemonen, 'asks').mockReturnValue({ key: 'asked' })
  Object.assign(state, { seat: 0, turn: 1, presence: ['here', 'away'], legal: ['draw', 'settle a'] })
  state.info = { seats: [], lesson: { asks: ['settle'], closing: false } } as unknown as TableState['info']
  expect(questionOf(state).key).toBe('web.wait.away')
  state.turn = 0
  expect(questionOf(state).key).toBe('asked')
  expect(asks.mock.lastCall?.[3]).toEqual(['settle a'])
  state.held = []
  expect(questionOf(state).key).toBe('web.forced')
  state.lessonDone = true
  expect(questionOf(state).key).toBe('web.reached')
})
