/** How a table is joined, what the server says there, and how that gets on the stage. */
import { dim, light, shownAgain, stopWatching } from './follow'
import { lines, type Line } from './line'
import { noteSaying } from './people'
import { PROTOCOL, type Because, type GameEvent, type Reason, type ServerMessage, type StateFields } from './protocol'
import { openSocket } from './socket'
import { perform, reasonsAt } from './stage'
import { settings } from './settings.svelte'
import { ring } from './turn.svelte'
import { advise, askWaiting, disarm, PREVIEWS_AT_ONCE, putDown, resend, type TableState, type Told } from './table.svelte'

export function join(state: TableState, build: string | null): void {
  const socket = openSocket(state.id, {
    // At first we ask for everything since the beginning, later for what we missed.
    hello: () => hello(state, build, Math.max(0, state.revision)),
    hear: (message) => hear(state, message, build),
    line: (open) => {
      if (state.line !== 'refused' && !open) state.line = 'lost'
    },
  })
  lines.set(state, {
    socket,
    asked: new Map(),
    waiting: [],
    wishes: new Map(),
    budget: PREVIEWS_AT_ONCE,
    refill: 0,
    wake: null,
    showing: false,
    epoch: 0,
    played: null,
    anew: false,
    regreeted: -1,
    coachedAt: null,
    again: null,
  })
}

const hello = (state: TableState, build: string | null, revision: number) => ({
  session: state.session,
  build,
  revision,
  beside: state.beside,
})

export function leave(state: TableState): void {
  stopWatching(state)
  const line = lines.get(state)
  line?.socket.close()
  clearTimeout(line?.refill)
  lines.delete(state)
  line?.wake?.()
}

/** Whoever looks next must find nothing: let go of everything that was for one seat's eyes. Not while it is drawn. */
export function wipe(state: TableState): void {
  Object.assign(state, {
    shown: {},
    scene: null,
    queue: [],
    legal: [],
    log: [],
    lit: [],
    picked: null,
    armed: null,
    chosen: null,
    foreseen: null,
    known: {},
    hint: null,
    coached: null,
    explained: null,
    sending: null,
    refusal: null,
  })
}

/** Look from another seat of this device, where nothing is hidden anyway: the board stays as it is. */
export function reseat(state: TableState, session: string, beside: string[], build: string | null): void {
  leave(state)
  putDown(state)
  state.session = session
  state.beside = beside
  state.sending = null
  state.legal = []
  state.line = 'joining'
  join(state, build)
}

// --- Hearing

function hear(state: TableState, message: ServerMessage, build: string | null): void {
  const line = lines.get(state)
  if (!line) return
  switch (message.type) {
    case 'welcome':
      welcome(state, line, message, build)
      break
    case 'state':
      state.revision = message.revision
      atOnce(state, message)
      state.queue = [...state.queue, { events: [], because: [], state: message }]
      void showQueue(state)
      break
    case 'events':
      if (message.revision > state.revision + 1 && state.revision >= 0 && line.regreeted !== message.revision) {
        line.regreeted = message.revision
        line.socket.send({ type: 'hello', ...hello(state, build, state.revision) })
        return
      }
      state.revision = message.revision
      atOnce(state, message)
      state.queue = [...state.queue, { events: message.events, because: message.because, state: message }]
      void showQueue(state)
      break
    case 'ack':
      line.wishes.delete(message.id)
      if (state.sending?.id === message.id) line.played = message.revision
      break
    case 'refused':
      refused(state, line, message.id, message.reason)
      break
    case 'previewed': {
      const about = line.asked.get(message.id)
      line.asked.delete(message.id)
      if (about?.revision !== state.shownRevision) break
      state.known = { ...state.known, [about.move]: message.foreseen }
      if (state.armed === about.move) state.foreseen = message.foreseen
      break
    }
    case 'hinted':
      if (!line.wishes.delete(message.id) || message.revision !== state.shownRevision) break
      state.hint = message.moves
      state.reasons = []
      advise(state, 0)
      break
    case 'reasons':
      if (message.revision === state.shownRevision) state.reasons = message.reasons
      break
    case 'explained':
      state.explained = message
      break
    case 'coached':
      if (message.revision === state.revision) state.coached = message
      break
    case 'again':
      shownAgain(state, line, message)
      break
    case 'error':
      if (state.info === null || HOPELESS.has(message.code)) {
        state.trouble = message.code
        state.line = 'refused'
        line.socket.close()
      } else if (message.code === 'replaced') {
        // Coming back by itself would only send another of our pages away.
        state.line = 'replaced'
        line.socket.close()
      }
      break
    case 'said':
      state.words = [...state.words.slice(-KEPT_WORDS), message]
      break
    case 'pong':
      break
  }
  arrive(state, line)
}

/** Our move is over once its outcome has arrived: between the two nothing may be chosen, for it would be chosen from what was before. */
function arrive(state: TableState, line: Line): void {
  if (line.played === null || state.revision < line.played) return
  line.played = null
  state.sending = null
}

const KEPT_WORDS = 49

/** After these it is no use to come again. */
const HOPELESS = new Set(['session', 'deleted', 'no_table'])

/** Every answer is for what was asked: a late one must not touch what has been taken up since. */
function refused(state: TableState, line: Line, id: string, reason: Reason): void {
  const about = line.asked.get(id)
  if (about) {
    line.asked.delete(id)
    // The table has moved on, or the reader points at something else: nobody wants to know any more.
    if (about.revision !== state.shownRevision || (state.armed !== null && state.armed !== about.move)) return
    disarm(state)
    state.refusal = { reason, anchor: about.anchor }
  } else if (state.sending?.id === id) {
    state.sending = null
    disarm(state)
    state.refusal = { reason, anchor: null }
  } else if (line.again?.id === id) {
    line.again = null
    state.notice = reason
  } else {
    const wish = line.wishes.get(id)
    if (!wish) return
    line.wishes.delete(id)
    if (state.hint === 'thinking') state.hint = null
    // Who has played on meanwhile does not want the hint any more.
    if (wish.type !== 'hint' || reason.code !== 'stale') state.notice = reason
  }
}

function welcome(state: TableState, line: Line, message: Extract<ServerMessage, { type: 'welcome' }>, build: string | null): void {
  const first = state.info === null
  if (!first && !message.missed && !line.anew) {
    // Something that we showed has been taken back: the story is told anew.
    line.anew = true
    line.socket.send({ type: 'hello', ...hello(state, build, 0) })
    return
  }
  // What was asked on the connection that was lost is answered by nobody.
  line.coachedAt = null
  line.waiting = [...line.asked.values(), ...line.waiting].filter((about) => about.revision === message.revision)
  line.asked.clear()
  state.info = message.table
  state.seat = message.seat
  state.line = 'open'
  atOnce(state, message)
  state.stale = message.protocol !== PROTOCOL
  if (!first && !line.anew && message.missed) {
    // Back after a lost connection: what happened meanwhile is shown like everything else.
    state.queue = [...state.queue, { events: message.missed, because: message.because, state: message }]
    state.revision = message.revision
    void showQueue(state)
  } else {
    state.log = message.missed
      ? message.missed.map((event, at) => ({ event, note: null, because: reasonsAt(message.because, at) }))
      : [{ event: null, note: { key: 'web.log.earlier' }, because: [] }]
    if (first && state.told > 0 && state.told < state.log.length) state.newsFrom = state.told
    line.anew = false
    stopWatching(state)
    line.epoch++
    line.showing = false
    line.wake?.()
    state.queue = []
    state.scene = null
    settle(state, message)
  }
  if (state.sending) resend(state)
  for (const wish of line.wishes.values()) line.socket.send(wish)
  askWaiting(state, line)
}

/** What does not wait for the events before it to be shown. */
function atOnce(state: TableState, fields: StateFields): void {
  const came = arrival(state, fields)
  if (came) {
    state.arrived = came
    ring()
  } else if (state.arrived && fields.presence[state.arrived.seat] === 'away' && state.presence[state.arrived.seat] === 'here')
    state.arrived = null
  state.presence = fields.presence
  state.agreed = fields.agreed
  state.clocks = fields.clocks ?? null
  state.clocksAt = performance.now()
}

/** Whether somebody else comes to sit here for the first time, or comes back after having been here. */
function arrival(state: TableState, fields: StateFields): TableState['arrived'] {
  const { note, presence } = fields
  const first = state.presence.length === 0
  const back = presence.findIndex((one, n) => one === 'here' && state.presence[n] === 'away' && state.cameBefore.has(n) && n !== state.seat)
  presence.forEach((one, n) => {
    if (one === 'here' || (first && one === 'away' && !fields.waiting_for.includes(n))) state.cameBefore.add(n)
  })
  if (first) return null
  if ((note?.kind === 'sat' || note?.kind === 'entered') && note.seat != null && note.seat !== state.seat)
    return state.waitingFor.includes(note.seat) ? { seat: note.seat, back: false } : null
  return back >= 0 && !fields.result ? { seat: back, back: true } : null
}

/** Take over everything that comes with a view. */
function settle(state: TableState, fields: StateFields): void {
  // Somebody came or went: what the reader has in the hand stays there.
  const same = fields.revision === state.shownRevision
  state.shownRevision = fields.revision
  state.revision = Math.max(state.revision, fields.revision)
  if (!same) {
    state.known = {}
    state.hint = null
    const line = lines.get(state)
    if (line) line.waiting = []
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

// --- Showing, event by event

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
async function holdForced(state: TableState, line: Line, events: GameEvent[], forced: Because[]): Promise<void> {
  state.scene = null
  state.held = forced.map((reason) => ({ event: events[reason.at]!, note: null, because: [reason] }))
  light(state, state.held)
  await new Promise<void>((resolve) => (line.wake = resolve))
  line.wake = null
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

async function showQueue(state: TableState): Promise<void> {
  const line = lines.get(state)
  if (!line || line.showing) return
  line.showing = true
  const epoch = line.epoch
  const stopped = () => lines.get(state) !== line || line.epoch !== epoch
  const told = (line: Told) => (state.log = kept([...state.log, line]))
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
    const before = async (at: number) => (at === first ? holdForced(state, line, events, forced) : undefined)
    if (!(await perform(state, { events, because, last: batch.state.view ?? {}, cue: line, stopped, told, before }))) return
    state.scene = null
    settle(state, batch.state)
  }
  state.skipping = false
  state.hurried = false
  line.showing = false
}
