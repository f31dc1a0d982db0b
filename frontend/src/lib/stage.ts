/** Events on the stage, one at a time: the same loop at a table and in a replay. */
import type { Because, GameEvent, View } from './protocol'
import { moves, settings } from './settings.svelte'
import type { TableState, Told } from './table.svelte'

/** Whoever cannot wait ends the pause. */
export interface Cue {
  wake: (() => void) | null
}

/** Without motion an event is a short pause with its piece lit up. */
const STILL_MS = 260

export function pause(cue: Cue, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      cue.wake = null
      resolve()
    }
    cue.wake = done
  })
}

export interface Performance {
  events: GameEvent[]
  because: Because[]
  /** The view after all of them. */
  last: View
  cue: Cue
  /** Something else is shown by now. */
  stopped: () => boolean
  told?: (line: Told) => void
}

/** Why the event at a place of a list happened. */
export const reasonsAt = (because: Because[], at: number): Because[] => because.filter((reason) => reason.at === at)

/** At normal speed a line stands so long, unless many more wait. */
const READING_MS = 1100
const MANY = 6

/** Show events one after another; whether they were shown to the end. */
export async function perform(table: TableState, { events, because, last, cue, stopped, told }: Performance): Promise<boolean> {
  const { game } = table
  for (const [at, event] of events.entries()) {
    const line: Told = { event, note: null, because: reasonsAt(because, at) }
    const quick = settings.speed === 0 || table.skipping || document.hidden
    const scene = quick ? null : game.scene(table.shown, event, events.slice(at + 1), last)
    told?.(scene && scene.ms > 0 ? { ...line, scene } : line)
    if (!scene) continue
    if (scene.ms > 0) {
      table.scene = scene
      table.sceneId++
      table.shown = scene.during
      const waiting = events.slice(at + 1).filter((one) => game.told(one)).length
      const reading = game.told(event) && waiting < MANY ? READING_MS : 0
      await pause(cue, moves() ? Math.max(scene.ms, reading) / settings.speed : Math.max(Math.min(scene.ms, STILL_MS), reading))
      if (stopped()) return false
    }
    table.shown = scene.view
  }
  return true
}
