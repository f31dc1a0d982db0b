/** The tables that this browser sits at: enough to go back to each, and nothing of the game itself. */
import * as api from './api'
import { noteGame } from './played'
import type { MadeTable, SeatInfo } from './protocol'

/** A seat whose person sits at this device. */
export interface MySeat {
  seat: number
  session: string
  /** How many events this person has been shown: what came later is news. */
  told: number
}

export interface Ended {
  /** By the server's time, in milliseconds. */
  when: number
  end: string
  places: number[]
  people: SeatInfo[]
}

export interface MyTable {
  id: string
  game: string
  made: number
  over: boolean
  /** How it ended, once that is known. */
  ended?: Ended
  /** Ours, in the order of the seats; several if people share this device. */
  seats: MySeat[]
  /** A session to watch with, if that is how we came. */
  watching: string | null
  /** Keys of seats that we may hand on as links: those of others, and our own for another device. */
  keys: (string | null)[]
  /** The key for those who only watch. */
  watch: string | null
  /** Arranged, as a lesson or to try something again: no game of ours. */
  arranged?: boolean
  /** Seats of which we want to hear nothing. */
  muted?: number[]
}

const KEY = 'drunemeton.tables'
const KEPT = 24

/** Tables were kept with one seat each before people could share a device. */
type Kept = MyTable | { id: string; game: string; made: number; over: boolean; session: string; seat: number | null }

function modern(table: Kept): MyTable {
  if ('seats' in table) return table
  const { id, game, made, over, session, seat } = table
  const seats = seat === null ? [] : [{ seat, session, told: 0 }]
  return { id, game, made, over, seats, watching: seat === null ? session : null, keys: [], watch: null }
}

export function myTables(): MyTable[] {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '[]') as Kept[]).map(modern)
  } catch {
    return []
  }
}

export const myTable = (id: string): MyTable | undefined => myTables().find((table) => table.id === id)

function write(tables: MyTable[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(tables.slice(0, KEPT)))
  } catch {
    // Without storage a table lasts as long as its page.
  }
}

export function keep(table: MyTable): void {
  write([table, ...myTables().filter((other) => other.id !== table.id)])
}

export const forget = (id: string): void => write(myTables().filter((table) => table.id !== id))

/** Change what is kept of a table, where it stands. */
export function amend(id: string, change: (table: MyTable) => void): void {
  const tables = myTables()
  const found = tables.find((table) => table.id === id)
  if (!found) return
  change(found)
  write(tables)
}

/** A table's game is over: whoever sat there alone finds it among his games. */
export function noteEnded(id: string, ended: Ended): void {
  amend(id, (table) => {
    table.over = true
    // Whoever comes back to a finished table does not end it anew.
    table.ended = { ...ended, when: table.ended?.when ?? ended.when }
    const [mine, ...others] = table.seats
    const { when, end, places, people } = table.ended
    if (mine && others.length === 0 && !table.arranged) noteGame({ id, game: table.game, seat: mine.seat, when, end, places, people })
  })
}

/** A person has been shown so many events. */
export const noteTold = (id: string, seat: number, told: number): void =>
  amend(id, (table) => {
    const mine = table.seats.find((one) => one.seat === seat)
    if (mine) mine.told = told
  })

/** From now on nothing that this seat says is shown here, or all of it again; answers who is silent. */
export function mute(id: string, seat: number, silent: boolean): number[] {
  let muted: number[] = []
  amend(id, (table) => (table.muted = muted = [...(table.muted ?? []).filter((one) => one !== seat), ...(silent ? [seat] : [])]))
  return muted
}

const blank = (id: string, game: string): MyTable => ({
  id,
  game,
  made: Date.now(),
  over: false,
  seats: [],
  watching: null,
  keys: [],
  watch: null,
})

function enter(table: MyTable, opened: { session: string; seat: number | null }, key: string | null): void {
  if (opened.seat === null) {
    table.watching = opened.session
    if (key) table.watch = key
    return
  }
  const before = table.seats.find((one) => one.seat === opened.seat)
  table.seats = [
    ...table.seats.filter((one) => one !== before),
    { seat: opened.seat, session: opened.session, told: before?.told ?? 0 },
  ].sort((one, other) => one.seat - other.seat)
  if (key) table.keys[opened.seat] = key
}

/** Sit down (or come to watch) with a key, and remember it. Answers the table and the seat that the key opened. */
export async function sitDown(
  id: string,
  key: string,
  game: Promise<string>,
  name: string,
): Promise<{ table: MyTable; seat: number | null }> {
  const [opened, played] = await Promise.all([api.openSession(id, key, name, myTable(id)?.seats[0]?.session), game])
  const table = myTable(id) ?? blank(id, played)
  enter(table, opened, key)
  keep(table)
  return { table, seat: opened.seat }
}

/** Sit down at seats of a new table: at those named, or else at the first that has a key for us. With none, we watch. */
export async function sitDownAt(made: MadeTable, game: string, own?: number[]): Promise<MyTable> {
  const table: MyTable = { ...blank(made.table, game), keys: made.keys, watch: made.watch }
  const first = made.keys.findIndex((key) => key !== null)
  for (const seat of own ?? (first < 0 ? [] : [first]))
    enter(table, await api.openSession(made.table, made.keys[seat]!, '', table.seats[0]?.session), null)
  if (table.seats.length === 0) enter(table, await api.openSession(made.table, made.watch), null)
  keep(table)
  return table
}

/** Take a seat that is open to everybody. */
export async function takeSeat(id: string, game: string, name: string): Promise<MyTable> {
  const taken = await api.sit(id, name)
  const table = myTable(id) ?? blank(id, game)
  enter(table, taken, taken.key)
  keep(table)
  return table
}

/** Watch the next game of those whom we have watched. */
export async function watchOn(old: MyTable): Promise<MyTable> {
  return sitDownAt(await api.rematch(old.id, old.watching ?? '', false, null), old.game, [])
}

/** Go on with the players of a finished table: for every seat of this device. */
export async function playAgain(old: MyTable, handicap: boolean, cards: { seat: number; cards: string[] } | null): Promise<MyTable> {
  let table: MyTable | null = null
  // Whoever gives the handicap asks first: only the first who asks says which cards are left out.
  const order = [...old.seats].sort((one, other) => Number(other.seat === cards?.seat) - Number(one.seat === cards?.seat))
  for (const mine of order) {
    const made = await api.rematch(old.id, mine.session, handicap, mine.seat === cards?.seat ? cards.cards : null)
    table ??= myTable(made.table) ?? { ...blank(made.table, old.game), watch: made.watch }
    // Whoever asks first may hand links on to the others.
    for (const [seat, one] of made.keys.entries()) if (one) table.keys[seat] = one
    const key = made.seat == null ? null : made.keys[made.seat]
    if (key) enter(table, await api.openSession(made.table, key), key)
  }
  if (!table) throw new api.ApiError(403, 'no_seat', 'only a player can ask for a rematch')
  keep(table)
  return table
}
