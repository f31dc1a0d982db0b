/** Puzzles as the server tells them (docs/puzzles.md): a puzzle carries the answer to every try, so nothing here knows a rule. */
import { ApiError } from '../lib/api'
import { tableOf } from '../lib/posed'
import type { PuzzleListed, PuzzleShown } from '../lib/protocol'
import type { TableState } from '../lib/table.svelte'

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

/** A puzzle on its board, with what every try would bring. */
export async function tableFor(puzzle: PuzzleShown): Promise<TableState> {
  const table = await tableOf(puzzle)
  table.known = Object.fromEntries(puzzle.moves.map((one) => [one.move, one.foreseen]))
  return table
}
