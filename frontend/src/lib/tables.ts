/** The tables that this browser sits at: enough to go back to each, and nothing of the game itself. */
import * as api from './api'
import type { MadeTable } from './protocol'

export interface MyTable {
  id: string
  game: string
  session: string
  seat: number | null
  made: number
  over: boolean
}

const KEY = 'drunemeton.tables'
const KEPT = 24

export function myTables(): MyTable[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as MyTable[]
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

/** Sit down with a key, and remember the seat. */
export async function sitDown(id: string, key: string, game: string): Promise<MyTable> {
  const opened = await api.openSession(id, key)
  const table = { id, game, session: opened.session, seat: opened.seat, made: Date.now(), over: false }
  keep(table)
  return table
}

/** Sit down at the first seat of a new table that has a key for us. */
export async function sitDownAt(made: MadeTable, game: string): Promise<MyTable> {
  const key = made.keys.find((one) => one !== null) ?? made.watch
  return sitDown(made.table, key, game)
}
