/** Beginning a stage: a table of its own at the server, which is thrown away when the next one begins. */
import * as api from '../lib/api'
import { playAgainst } from '../lib/opponents'
import { go } from '../lib/router.svelte'
import { settings } from '../lib/settings.svelte'
import { forget, sitDownAt, type MyTable } from '../lib/tables'
import { meet } from './progress'

export async function startStage(game: string, stage: string, before: MyTable | null = null, replace = false): Promise<void> {
  meet(game)
  const made = await api.makeTable({ game, seats: [{ kind: 'person', name: settings.name }], stage, lesson: true })
  const table = await sitDownAt(made, game)
  if (before) discard(before)
  go(`/t/${table.id}`, replace)
}

/** Level 1, the kindest of the opponents. */
export async function playLevelOne(game: string, before: MyTable | null = null): Promise<void> {
  const info = (await api.games()).find((one) => one.name === game)
  if (!info) throw new api.ApiError(404, 'no_game', 'there is no such game')
  await playAgainst(info, 'level-1')
  if (before) discard(before)
}

/** A table from a stage with others: nothing is judged there, and every seat is told that it was arranged. */
export async function playWithFriends(game: string, stage: string, seats: number): Promise<void> {
  const others = Array.from({ length: seats - 1 }, () => ({ kind: 'person' as const, name: '' }))
  const made = await api.makeTable({ game, seats: [{ kind: 'person', name: settings.name }, ...others], stage })
  const table = await sitDownAt(made, game)
  go(`/t/${table.id}`)
}

export function discard(table: MyTable): void {
  const session = table.seats[0]?.session
  forget(table.id)
  if (session) void api.deleteTable(table.id, session).catch(() => undefined)
}
