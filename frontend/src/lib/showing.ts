/** How what the server has told gets on the stage: event by event, then the view after them. */
import { connections, type Connection } from './connection'
import { dim, light, stopWatching } from './follow'
import { noteSaying } from './people'
import type { Because, GameEvent, StateFields } from './protocol'
import { perform } from './stage'
import { settings } from './settings.svelte'
import { putDown, type TableState, type Told } from './table.svelte'

/** Take over everything that comes with a view. */
export function settle(state: TableState, fields: StateFields): void {
  // Somebody came or went: what the reader has in the hand stays there.
  const same = fields.revision === state.shownRevision
  state.shownRevision = fields.revision
  state.revision = Math.max(state.revision, fields.revision)
  if (!same) {
    state.known = {}
    state.hint = null
    const connection = connections.get(state)
    if (connection) connection.waiting = []
    putDown(state)
  }
  state.shown = fields.view ?? {}
  state.waitingFor = fields.waiting_for
  state.seen = fields.seen
  state.legal = fields.legal
  state.turn = fields.turn
  state.rule = fields.rule
  state.canUndo = fields.can_undo
  state.hasMoved = fields.has_moved
  state.result = fields.result
  state.undoAskedBy = fields.undo_asked_by
  state.undoWaiting = fields.undo_waiting ?? []
  state.rematch = fields.rematch ?? null
  state.lessonDone = fields.lesson_done
  state.leftOut = fields.left_out
  state.secret = fields.secret ?? null
  if (fields.seats && state.info) state.info = { ...state.info, seats: fields.seats }
}

/** Whose doing an event is: its own seat, or that of the last one named before it. */
function actorOf(events: GameEvent[], at: number): unknown {
  return events.slice(0, at + 1).findLast((event) => event.seat !== undefined)?.seat
}

/** What was played for us because nothing else was possible, unless our person does not want to be told. */
function forcedOf(state: TableState, events: GameEvent[], because: Because[]): Because[] {
  const taught = state.info?.lesson?.closing === false
  if (!settings.explain || state.seat === null || document.hidden || taught) return []
  const me = state.game.seatNames[state.seat]
  return because.filter((reason) => reason.forced && !state.game.trifles?.includes(reason.code) && actorOf(events, reason.at) === me)
}

/** Nobody is played for silently: the stage has shown what came before, and waits with its places lit until our person has read why. */
async function holdForced(state: TableState, connection: Connection, events: GameEvent[], forced: Because[]): Promise<void> {
  state.scene = null
  state.held = forced.map((reason) => ({ event: events[reason.at]!, note: null, because: [reason] }))
  light(state, state.held)
  await new Promise<void>((resolve) => (connection.wake = resolve))
  connection.wake = null
  state.held = null
  dim(state)
}

/** The last so many events of the story are taken back, and look it. */
export function takeBack(state: TableState, events: number): void {
  let left = events
  state.log = state.log
    .toReversed()
    .map((told) => (told.event && !told.undone && left-- > 0 ? { ...told, undone: true } : told))
    .toReversed()
}

/** So many lines can be watched again: every scene keeps two views. */
const WATCHABLE = 300

function kept(log: Told[]): Told[] {
  const old = log.at(-WATCHABLE - 1)
  if (old?.scene) log[log.length - WATCHABLE - 1] = { ...old, scene: undefined }
  return log
}

export async function showQueue(state: TableState): Promise<void> {
  const connection = connections.get(state)
  if (!connection || connection.showing) return
  connection.showing = true
  const epoch = connection.epoch
  const stopped = () => connections.get(state) !== connection || connection.epoch !== epoch
  const told = (one: Told) => (state.log = kept([...state.log, one]))
  stopWatching(state)
  for (let batch = state.queue[0]; batch; batch = state.queue[0]) {
    state.queue = state.queue.slice(1)
    if (batch.events.length) {
      state.legal = []
      putDown(state)
    }
    if (batch.state.note) {
      if (batch.state.seats && state.info) state.info = { ...state.info, seats: batch.state.seats }
      if (batch.state.note.kind === 'undo') takeBack(state, batch.state.note.events ?? 0)
      const note = noteSaying(state, batch.state.note)
      if (note) state.log = [...state.log, { event: null, note, because: [] }]
    }
    // Who does not look now will want to know later.
    if (batch.events.length && document.hidden) state.newsFrom ??= state.log.length
    const { events, because } = batch
    const forced = forcedOf(state, events, because)
    const first = Math.min(...forced.map((reason) => reason.at))
    const before = async (at: number) => (at === first ? holdForced(state, connection, events, forced) : undefined)
    if (!(await perform(state, { events, because, last: batch.state.view ?? {}, cue: connection, stopped, told, before }))) return
    state.scene = null
    settle(state, batch.state)
  }
  state.skipping = false
  state.hurried = false
  connection.showing = false
}
