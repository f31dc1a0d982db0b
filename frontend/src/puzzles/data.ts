/** Puzzles as the server tells them (docs/puzzles.md): a puzzle carries the answer to every try, so nothing here knows a rule. */
import { ApiError } from '../lib/api'
import { faceOf } from '../lib/game'
import type { Foreseen, PuzzleListed, PuzzleShown, TableInfo, View } from '../lib/protocol'
import { TableState } from '../lib/table.svelte'

export const THEMES: PuzzleListed['theme'][] = ['finish', 'strike', 'prepare', 'guard', 'spare']

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(path).catch(() => null)
  if (!answer?.ok) throw new ApiError(answer?.status ?? 0, answer ? 'lost' : 'unreachable', path)
  return (await answer.json()) as T
}

const kept = new Map<string, Promise<unknown>>()
/** Asked once: what has been loaded is there without the server, too. */
function once<T>(path: string): Promise<T> {
  const known = kept.get(path)
  if (known) return known as Promise<T>
  const asked = ask<T>(path)
  kept.set(path, asked)
  asked.catch(() => kept.delete(path))
  return asked
}

export const list = (game: string): Promise<PuzzleListed[]> => once(`/api/puzzles/${encodeURIComponent(game)}`)
export const fetchPuzzle = (game: string, id: string): Promise<PuzzleShown> =>
  once(`/api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(id)}`)

/** What somebody looks for in the list; kept while the page is. */
export const wish: { theme: string; grade: number } = { theme: '', grade: 0 }
export const fits = (one: PuzzleListed, theme: string, grade: number): boolean =>
  (!theme || one.theme === theme) && (!grade || one.grade === grade)

/** The next one to solve: behind this one, what fits the wish and has not been solved; else whatever comes next. */
export function nextOf(all: PuzzleListed[], id: string, done: string[]): PuzzleListed | undefined {
  const at = all.findIndex((one) => one.id === id)
  const others = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))]
  const open = others.filter((one) => !done.includes(one.id))
  return open.find((one) => fits(one, wish.theme, wish.grade)) ?? open[0] ?? others[0]
}

/** A table at which nobody sits but the reader: what the boards draw. */
export async function tableFor(puzzle: PuzzleShown): Promise<TableState> {
  const load = faceOf(puzzle.game)?.table
  if (!load) throw new ApiError(404, 'lost', puzzle.game)
  const table = new TableState('', '', await load())
  const nobody = { kind: 'person' as const, name: '', bot: null, out: null }
  table.info = {
    ...puzzle,
    seats: Array.from({ length: puzzle.seats }, () => nobody),
    clock: { kind: 'none', seconds: 0 },
    commitment: '',
    auditable: false,
    secret: null,
    series: {},
    chat: false,
    arranged: true,
    lesson: null,
  } satisfies TableInfo
  table.seat = table.turn = puzzle.seat
  table.line = 'open'
  table.revision = table.shownRevision = 0
  table.shown = puzzle.view as View
  table.presence = table.info.seats.map(() => 'here')
  table.legal = puzzle.legal
  table.known = Object.fromEntries(puzzle.moves.map((one) => [one.move, one.foreseen as unknown as Foreseen[]]))
  return table
}
