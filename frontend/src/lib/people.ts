/** Who is at the table, in words: names, whether somebody is here, and what happened beside the game. */
import type { Saying } from './game'
import type { BotInfo, Note, SeatInfo } from './protocol'
import type { TableState } from './table.svelte'
import { knows, say, word } from './words.svelte'

/** A level has a name in each game, the simple bots have the same everywhere. */
export function botName(name: string, prefix: string): string {
  if (knows(`bot.${prefix}.${name}`)) return say(`bot.${prefix}.${name}`)
  return knows(`web.bot.${name}`) ? say(`web.bot.${name}`) : name
}

/** Bots from the weakest to the strongest; who plays at random comes first, and who was never measured where its level stands. */
export function byStrength(bots: BotInfo[]): BotInfo[] {
  const rank = (bot: BotInfo) => (bot.name === 'random' ? -Infinity : (bot.elo ?? 1000 + (bot.level ?? 0)))
  return [...bots].sort((one, other) => rank(one) - rank(other))
}

/** How a seat is called: by its person's name, its bot's (without how it plays), or what the game calls it. */
export function nameOf(info: SeatInfo | undefined, fallback: string, prefix: string): string {
  if (info?.kind === 'bot') return info.bot ? botName(info.bot, prefix).replace(/ \(.*/, '') : fallback
  return info?.name || fallback
}

export const seatWord = (table: TableState, seat: number): string => word(table.game.seatNames[seat], table.game.prefix)

/** A player in a sentence: by name, or as the game calls the seat. */
export function playerName(table: TableState, seat: number): string {
  const info = table.info?.seats[seat]
  return (info?.kind !== 'bot' && info?.name) || seatWord(table, seat)
}

/** Whether a seat's person has a say in what everybody may see: one who still plays. */
export const hasSay = (table: TableState, seat: number | null): boolean => {
  const info = seat === null ? undefined : table.info?.seats[seat]
  return info?.kind === 'person' && !info.out
}

/** The seats without whose word nobody sees the chances while one plays. */
export const notAgreed = (table: TableState): number[] =>
  (table.info?.seats ?? []).flatMap((info, seat) =>
    info.kind === 'open' || (hasSay(table, seat) && !table.agreed.includes(seat)) ? [seat] : [],
  )

/** What stands at a seat beside the game's own word for it. */
export function sitterName(table: TableState, seat: number): string {
  const known = table.info?.seats[seat]
  // Who sits under the game's own word for the seat is not called by it twice.
  const info = known && known.name === seatWord(table, seat) ? { ...known, name: '' } : known
  if (seat === table.seat) return info?.name ? say('web.seat.me_named', { name: info.name }) : say('web.seat.me')
  if (info?.kind === 'open') return say('web.seat.free')
  return nameOf(info, say('web.seat.person'), table.game.prefix)
}

/** The line of the log for something that is not a move; null where the page shows it in another way. */
export function noteSaying(table: TableState, note: Note): Saying | null {
  const params = {
    name: note.seat == null ? '' : playerName(table, note.seat),
    by: note.by == null ? '' : playerName(table, note.by),
  }
  switch (note.kind) {
    case 'undo':
      return { key: note.seen ? 'web.note.undo_seen' : 'web.log.undone', params }
    case 'undo_answered':
      return { key: note.agree ? 'web.note.undo_yes' : 'web.note.undo_no', params }
    case 'bot_takes':
      return { key: note.by === note.seat ? 'web.note.bot_takes' : 'web.note.bot_takes_by', params }
    case 'undo_asked':
    case 'resigned':
    case 'flagged':
    case 'bot_returns':
    case 'sat':
      return { key: `web.note.${note.kind}`, params }
    default:
      return null
  }
}
