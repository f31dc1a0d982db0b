/** Puzzles: which comes next, which is the one of the day, and that progress travels with that of the lessons. */
import { beforeEach, expect, test } from 'vitest'
import { everything, merge, noteSolved, progress, solved } from '../src/lessons/progress'
import type { PuzzleListed } from '../src/lib/protocol'
import { fits, nextOf, wish } from '../src/puzzles/data'
import { gameOfDay, ofDay, today } from '../src/puzzles/day'

const one = (id: string, theme: PuzzleListed['theme'], grade: number): PuzzleListed => ({ id, kind: 'play', theme, grade, missed: 0.3 })
const empty = () => ['lessons', 'puzzles'].forEach((kept) => localStorage.setItem(`drunemeton.${kept}`, '{}'))
const all = [one('a', 'guard', 1), one('b', 'strike', 1), one('c', 'guard', 2), one('d', 'strike', 3)]

beforeEach(() => {
  empty()
  Object.assign(wish, { theme: '', grade: 0 })
})

test('the next puzzle is one that fits and has not been solved', () => {
  expect(nextOf(all, 'a', [])?.id).toBe('b')
  expect(nextOf(all, 'a', ['b'])?.id).toBe('c')
  expect(nextOf(all, 'd', ['a'])?.id).toBe('b')
  Object.assign(wish, { theme: 'strike', grade: 3 })
  expect(nextOf(all, 'a', [])?.id).toBe('d')
  expect(nextOf(all, 'a', ['d'])?.id).toBe('b')
  expect(nextOf(all, 'a', ['a', 'b', 'c', 'd'])?.id).toBe('b')
  expect(nextOf(all.slice(0, 1), 'a', [])).toBeUndefined()
  expect(fits(all[0]!, 'guard', 0) && !fits(all[0]!, 'guard', 2) && !fits(all[0]!, 'strike', 0)).toBe(true)
})

test('every day has a puzzle, games take turns, and all puzzles of a game come', () => {
  const games = [{ puzzles: 4 }, { puzzles: 0 }, { puzzles: 2 }]
  expect([0, 1, 2].map((day) => gameOfDay(games, day))).toEqual([games[0], games[2], games[0]])
  expect(gameOfDay([], 5)).toBeUndefined()
  for (const count of [1, 60, 74, 82, 111]) {
    const set = Array.from({ length: count }, (_, at) => one(`p${at}`, 'guard', 1))
    expect(new Set(Array.from({ length: count }, (_, at) => ofDay(set, 3 * at)?.id)).size).toBe(count)
  }
  expect(today(new Date(2026, 10, 18, 23, 59))).toBe(today(new Date(2026, 10, 18, 0, 1)))
  expect(today(new Date(2026, 10, 19))).toBe(today(new Date(2026, 10, 18)) + 1)
})

test('what was solved is kept, and goes along with the lessons', () => {
  noteSolved('celtica', 'abc')
  noteSolved('celtica', 'abc')
  merge({ celtica: ['walk'] })
  const file: unknown = JSON.parse(JSON.stringify(everything()))
  empty()
  expect(solved('celtica')).toEqual([])
  merge(file)
  expect(solved('celtica')).toEqual(['abc'])
  expect(progress()).toEqual({ celtica: ['walk'] })
  merge({ puzzles: { celtica: ['<b>', 7, 'def'] } })
  expect(solved('celtica')).toEqual(['abc', 'def'])
})
