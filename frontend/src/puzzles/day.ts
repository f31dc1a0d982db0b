/** The puzzle of the day: the same for everybody on the same date, game by game in turn. */
import type { PuzzleListed } from '../lib/protocol'

const DAY_MS = 86_400_000
/** Days since 1970 by the reader's own calendar. */
export const today = (now = new Date()): number => Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY_MS)

/** Which game's turn it is on a day, of those that have puzzles. */
export const gameOfDay = <G extends { puzzles: number }>(games: G[], day: number): G | undefined => {
  const some = games.filter((game) => game.puzzles > 0)
  return some[day % some.length]
}
/** Which of a game's puzzles it is: each in turn, in an order that jumps between easy and hard. */
export function ofDay(all: PuzzleListed[], day: number): PuzzleListed | undefined {
  const coprime = [37, 41, 43].find((step) => all.length % step !== 0) ?? 1
  return all[(Math.floor(day / 3) * coprime) % all.length]
}
