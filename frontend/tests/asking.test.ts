/** What is asked of the server: nothing twice, and nothing forgotten with a connection that is lost. */
import { beforeEach, expect, it, vi } from 'vitest'
import type { GameTable } from '../src/lib/game'
import { join, leave } from '../src/lib/hearing'
import { PROTOCOL, type ServerMessage } from '../src/lib/protocol'
import { advise, askHint, foresee, hold, mayAct, TableState, undo } from '../src/lib/table.svelte'
import { askCoach } from '../src/lib/teaching'

vi.stubGlobal('window', globalThis)
const wire = vi.hoisted(() => ({ sent: [] as Record<string, unknown>[], hear: (_: unknown) => {} }))
vi.mock('../src/lib/socket', () => ({
  openSocket: (_: string, ears: { hear: (message: unknown) => void }) => {
    wire.hear = ears.hear
    return { send: (said: Record<string, unknown>) => wire.sent.push(said), close: () => {} }
  },
}))

function greet(revision: number, more: object = {}): void {
  const said = { type: 'welcome', table: { seats: [] }, seat: 0, revision, missed: [], because: [], presence: [], waiting_for: [] }
  wire.hear({ ...said, seen: [], legal: ['a', 'b'], turn: 0, result: null, protocol: PROTOCOL, ...more } as unknown as ServerMessage)
}
const asked = (type: string) => wire.sent.filter((said) => said.type === type).map((said) => said.move ?? said.revision)

let table: TableState
beforeEach(() => {
  wire.sent = []
  table = new TableState('t', 's', { seatNames: ['sun'], told: () => true } as unknown as GameTable)
  join(table, null)
  greet(4)
  return () => leave(table)
})

it('the coach is asked once for every decision, and again on a new connection', () => {
  askCoach(table)
  askCoach(table)
  expect(asked('coach')).toEqual([4])
  greet(4)
  askCoach(table)
  expect(asked('coach')).toEqual([4, 4])
})

it('a page goes on with a server of another build, and is to be loaded anew only where another protocol is spoken', () => {
  greet(4, { build: 'another' })
  expect(table.stale).toBe(false)
  greet(4, { protocol: PROTOCOL + 1 })
  expect(table.stale).toBe(true)
  greet(4)
  expect(table.stale).toBe(false)
})

it('a preview whose answer was lost with the connection is asked for again', () => {
  foresee(table, 'a')
  foresee(table, 'a')
  expect(asked('preview')).toEqual(['a'])
  greet(4)
  expect(asked('preview')).toEqual(['a', 'a'])
})

it('advice goes when something else is chosen', () => {
  table.hint = [{ move: 'a' }, { move: 'b' }] as unknown as NonNullable<TableState['hint']>
  advise(table, 0)
  advise(table, 1)
  expect(table.chosen).toBe('b')
  expect(table.hint).toHaveLength(2)
  hold(table, 'a')
  expect(table.chosen).toBe('a')
  expect(table.hint).toBeNull()
})

it('a preview of a table that has moved on is asked for by nobody', () => {
  foresee(table, 'a')
  greet(5)
  expect(asked('preview')).toEqual(['a'])
})

it('a hint that comes too late is no trouble of the reader; another refusal is told', () => {
  const refuse = (type: string, code: string) =>
    wire.hear({ type: 'refused', id: wire.sent.findLast((said) => said.type === type)!.id, reason: { code, rule: null, params: {} } })
  askHint(table)
  refuse('hint', 'stale')
  expect([table.hint, table.notice]).toEqual([null, null])
  askHint(table)
  refuse('hint', 'no_advice')
  expect(table.notice?.code).toBe('no_advice')
  undo(table)
  refuse('undo', 'stale')
  expect(table.notice?.code).toBe('stale')
})

it('nothing is asked of anybody once the goal of a stage is reached', () => {
  expect(mayAct(table)).toBe(true)
  table.info = { ...table.info!, lesson: { name: 'x', number: 1, rules: [], closing: false, solution: [] } }
  expect(mayAct(table)).toBe(true)
  table.lessonDone = true
  expect(mayAct(table)).toBe(false)
})
