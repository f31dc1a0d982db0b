/** How the tables of this browser stand, and which seats elsewhere are free: asked again while somebody looks. */
import { openTables, standings } from './api'
import { faceOf } from './game'
import type { Standing, TableShown } from './protocol'
import { amend, forget, myTables, noteEnded, type MyTable } from './tables'

const LOOK_MS = 15_000

export class Standings {
  tables = $state(myTables())
  standings = $state<Record<string, Standing>>({})
  open = $state<TableShown[]>([])

  /** Whether one of our seats there has something to do. */
  waits(table: MyTable): boolean {
    const at = this.standings[table.id]
    return (
      !!at?.there &&
      !at.over &&
      table.seats.some(({ seat }) => !at.seats[seat]?.bot && (at.turn === seat || at.undo_waiting.includes(seat)))
    )
  }

  /** Those that are not over: where we are waited for first, then the newest. */
  get running(): MyTable[] {
    return this.tables
      .filter((table) => !table.over)
      .sort((one, other) => Number(this.waits(other)) - Number(this.waits(one)) || other.made - one.made)
  }

  drop(id: string): void {
    forget(id)
    this.tables = myTables()
  }

  async look(): Promise<void> {
    if (document.hidden) return
    try {
      const asked = this.tables
        .filter((table) => !table.over || !table.ended)
        .flatMap((table) => ({ table: table.id, session: table.seats[0]?.session ?? table.watching ?? '' }))
      const [found, free] = await Promise.all([asked.length ? standings(asked) : [], openTables()])
      this.standings = Object.fromEntries(found.map((one) => [one.table, one]))
      for (const one of found)
        if (one.over)
          if (one.result) noteEnded(one.table, { ...one.result, when: one.changed ?? Date.now(), people: one.seats })
          else amend(one.table, (table) => (table.over = true))
      if (found.some((one) => one.over)) this.tables = myTables()
      this.open = free.filter(
        (one) => faceOf(one.game)?.table && !this.tables.some((table) => table.id === one.table && table.seats.length),
      )
    } catch {
      // The lobby says already when the server does not answer.
    }
  }

  /** Look now, now and then, and whenever the page comes into sight; answers how to stop. */
  watch(): () => void {
    const look = () => void this.look()
    look()
    const timer = setInterval(look, LOOK_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }
}
