/** What is asked at a table now, or what is waited for. */
import type { Saying } from './game'
import { playerName } from './people'
import { isTaught, type TableState } from './table.svelte'

export function questionOf(table: TableState): Saying {
  if (isTaught(table)) return { key: 'web.reached' }
  if (table.held) return { key: 'web.forced' }
  // Who is on turn and not here does not think.
  const { turn } = table
  if (turn !== null && turn !== table.seat && table.presence[turn] === 'away' && !table.result)
    return { key: 'web.wait.away', params: { name: playerName(table, turn) } }
  // In a stage the question speaks of nothing that has not been taught yet.
  const taught = table.info?.lesson?.asks ?? []
  const askedOf = taught.length ? table.legal.filter((move) => taught.includes(move.split(' ')[0]!)) : table.legal
  return table.game.asks(table.shown, table.seat, turn, askedOf)
}
