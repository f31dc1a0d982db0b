/** Going on with the same players, from the end's screen or from the table. */
import { go } from './router.svelte'
import type { TableState } from './table.svelte'
import { playAgain, watchOn, type MyTable } from './tables'

/** What the button says: to ask for a game, to join one that waits, or to watch it; null where there is none for us. */
export function rematchKey(table: TableState): 'web.rematch' | 'web.rematch.join' | 'web.rematch.watch' | null {
  if (table.seat !== null) return table.rematch ? 'web.rematch.join' : 'web.rematch'
  return table.rematch ? 'web.rematch.watch' : null
}

export async function rematch(
  table: TableState,
  mine: MyTable,
  handicap = false,
  cards: { seat: number; cards: string[] } | null = null,
): Promise<void> {
  const next = table.seat === null ? await watchOn(mine) : await playAgain(mine, handicap, cards)
  go(`/t/${next.id}`)
}
