/** Who sits across: at first an opponent whom a newcomer can beat, then whom one has gone on to. Nothing is locked. */
import * as api from './api'
import type { GameInfo } from './protocol'
import { go } from './router.svelte'
import { settings } from './settings.svelte'
import { sitDownAt, type MyTable } from './tables'

const KEY = 'drunemeton.levels'
const FIRST = 'level-1'

function kept(): Record<string, unknown> {
  try {
    return { ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return {}
  }
}

/** The opponent of "Play now". */
export function opponent(game: GameInfo): string {
  const has = (name: unknown) => game.bots.find((bot) => bot.name === name)?.name
  return has(kept()[game.name]) ?? has(FIRST) ?? game.bots[0]?.name ?? 'greedy'
}

export function levelAt(game: GameInfo, level: number): { bot: string; level: number } | null {
  const bot = game.bots.find((one) => one.level === level)
  return bot ? { bot: bot.name, level } : null
}

/** The level after this bot's, if there is one. */
export function levelAfter(game: GameInfo, bot: string | null | undefined): { bot: string; level: number } | null {
  const level = game.bots.find((one) => one.name === bot)?.level
  return level ? levelAt(game, level + 1) : null
}

/** Sit down with as few such opponents as the game allows. */
export async function playAgainst(game: GameInfo, bot: string): Promise<MyTable> {
  const others = Array.from({ length: game.players[0] - 1 }, () => ({ kind: 'bot' as const, bot }))
  const made = await api.makeTable({ game: game.name, seats: [{ kind: 'person', name: settings.name }, ...others] })
  const table = await sitDownAt(made, game.name)
  go(`/t/${table.id}`)
  return table
}

/** Go on to another level: from now on "Play now" leads there. */
export async function goOnTo(game: GameInfo, bot: string): Promise<void> {
  await playAgainst(game, bot)
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [game.name]: bot }))
  } catch {
    // Without storage it is level 1 again next time.
  }
}
