/** Events on the stage, one at a time: the same loop at a table and in a replay. */
import type { Scene } from './game'
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
  /** Awaited before the event at this place is shown. */
  before?: (at: number) => Promise<void>
}

/** Why the event at a place of a list happened. */
export const reasonsAt = (because: Because[], at: number): Because[] => because.filter((reason) => reason.at === at)

/** At normal speed a line stands so long, unless many more wait. */
const READING_MS = 1100
const MANY = 6

/** How much faster a turn goes on once somebody is in a hurry. */
const HURRY = 4
const pace = (table: TableState): number => (table.hurried ? HURRY : 1)

/** An event on the stage, for as long as it takes to see it and, unless many more wait, to read it. */
export async function stand(table: TableState, scene: Scene, cue: Cue, waiting: number): Promise<void> {
  const shown = { ...scene, ms: scene.ms / pace(table) }
  table.scene = shown
  table.sceneId++
  table.shown = scene.during
  const reading = table.game.told(scene.event) && waiting < MANY ? READING_MS / pace(table) : 0
  await pause(cue, moves() ? Math.max(shown.ms, reading) / settings.speed : Math.max(Math.min(shown.ms, STILL_MS), reading))
}

/** What there is to watch again of a scene. */
export const watched = (scene: Scene): Scene | null => (scene.ms > 0 ? scene : null)

/** Show events one after another; whether they were shown to the end. What is not shown now can still be watched later. */
export async function perform(table: TableState, { events, because, last, cue, stopped, told, before }: Performance): Promise<boolean> {
  const { game } = table
  let view = table.shown
  for (const [at, event] of events.entries()) {
    await before?.(at)
    if (stopped()) return false
    const line: Told = { event, note: null, because: reasonsAt(because, at) }
    const scene = { ...game.scene(view, event, events.slice(at + 1), last), because: line.because }
    view = scene.view
    told?.({ ...line, scene: watched(scene) })
    if (settings.speed === 0 || table.skipping || document.hidden) continue
    if (scene.ms > 0) {
      await stand(table, scene, cue, events.slice(at + 1).filter((one) => game.told(one)).length)
      if (stopped()) return false
    }
    table.shown = view
  }
  return true
}
