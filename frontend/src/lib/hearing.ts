/** How a table is joined, and what becomes of each thing that the server says there. */
import { shownAgain, stopWatching } from './follow'
import { connectionOver, connections, type Connection } from './connection'
import { PROTOCOL, type Reason, type ServerMessage, type StateFields } from './protocol'
import { settle, showQueue } from './showing'
import { openSocket } from './socket'
import { reasonsAt } from './stage'
import { ring } from './turn.svelte'
import { advise, askWaiting, disarm, putDown, resend, type TableState } from './table.svelte'

export function join(state: TableState, build: string | null): void {
  const socket = openSocket(state.id, {
    // At first we ask for everything since the beginning, later for what we missed.
    hello: () => hello(state, build, Math.max(0, state.revision)),
    hear: (message) => hear(state, message, build),
    stands: (open) => {
      if (state.contact !== 'refused' && !open) state.contact = 'lost'
    },
  })
  connections.set(state, connectionOver(socket))
}

const hello = (state: TableState, build: string | null, revision: number) => ({
  session: state.session,
  build,
  revision,
  beside: state.beside,
})

export function leave(state: TableState): void {
  stopWatching(state)
  const connection = connections.get(state)
  connection?.socket.close()
  clearTimeout(connection?.refill)
  connections.delete(state)
  connection?.wake?.()
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
  state.contact = 'joining'
  join(state, build)
}

// --- Hearing

function hear(state: TableState, message: ServerMessage, build: string | null): void {
  const connection = connections.get(state)
  if (!connection) return
  switch (message.type) {
    case 'welcome':
      welcome(state, connection, message, build)
      break
    case 'state':
      state.revision = message.revision
      atOnce(state, message)
      state.queue = [...state.queue, { events: [], because: [], state: message }]
      void showQueue(state)
      break
    case 'events':
      if (message.revision > state.revision + 1 && state.revision >= 0 && connection.regreeted !== message.revision) {
        connection.regreeted = message.revision
        connection.socket.send({ type: 'hello', ...hello(state, build, state.revision) })
        return
      }
      state.revision = message.revision
      atOnce(state, message)
      state.queue = [...state.queue, { events: message.events, because: message.because, state: message }]
      void showQueue(state)
      break
    case 'ack':
      connection.wishes.delete(message.id)
      if (state.sending?.id === message.id) connection.played = message.revision
      break
    case 'refused':
      refused(state, connection, message.id, message.reason)
      break
    case 'previewed': {
      const about = connection.asked.get(message.id)
      connection.asked.delete(message.id)
      if (about?.revision !== state.shownRevision) break
      state.known = { ...state.known, [about.move]: message.foreseen }
      if (state.armed === about.move) state.foreseen = message.foreseen
      break
    }
    case 'hinted':
      if (!connection.wishes.delete(message.id) || message.revision !== state.shownRevision) break
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
      shownAgain(state, connection, message)
      break
    case 'error':
      if (state.info === null || HOPELESS.has(message.code)) {
        state.trouble = message.code
        state.contact = 'refused'
        connection.socket.close()
      } else if (message.code === 'replaced') {
        // Coming back by itself would only send another of our pages away.
        state.contact = 'replaced'
        connection.socket.close()
      }
      break
    case 'said':
      state.words = [...state.words.slice(-KEPT_WORDS), message]
      break
    case 'pong':
      break
  }
  arrive(state, connection)
}

/** Our move is over once its outcome has arrived: between the two nothing may be chosen, for it would be chosen from what was before. */
function arrive(state: TableState, connection: Connection): void {
  if (connection.played === null || state.revision < connection.played) return
  connection.played = null
  state.sending = null
}

const KEPT_WORDS = 49

/** After these it is no use to come again. */
const HOPELESS = new Set(['session', 'deleted', 'no_table'])

/** Every answer is for what was asked: a late one must not touch what has been taken up since. */
function refused(state: TableState, connection: Connection, id: string, reason: Reason): void {
  const about = connection.asked.get(id)
  if (about) {
    connection.asked.delete(id)
    // The table has moved on, or the reader points at something else: nobody wants to know any more.
    if (about.revision !== state.shownRevision || (state.armed !== null && state.armed !== about.move)) return
    disarm(state)
    state.refusal = { reason, anchor: about.anchor }
  } else if (state.sending?.id === id) {
    state.sending = null
    disarm(state)
    state.refusal = { reason, anchor: null }
  } else if (connection.again?.id === id) {
    connection.again = null
    state.notice = reason
  } else {
    const wish = connection.wishes.get(id)
    if (!wish) return
    connection.wishes.delete(id)
    if (state.hint === 'thinking') state.hint = null
    // Who has played on meanwhile does not want the hint any more.
    if (wish.type !== 'hint' || reason.code !== 'stale') state.notice = reason
  }
}

function welcome(
  state: TableState,
  connection: Connection,
  message: Extract<ServerMessage, { type: 'welcome' }>,
  build: string | null,
): void {
  const first = state.info === null
  if (!first && !message.missed && !connection.anew) {
    // Something that we showed has been taken back: the story is told anew.
    connection.anew = true
    connection.socket.send({ type: 'hello', ...hello(state, build, 0) })
    return
  }
  // What was asked on the connection that was lost is answered by nobody.
  connection.coachedAt = null
  connection.waiting = [...connection.asked.values(), ...connection.waiting].filter((about) => about.revision === message.revision)
  connection.asked.clear()
  state.info = message.table
  state.seat = message.seat
  state.contact = 'open'
  atOnce(state, message)
  state.stale = message.protocol !== PROTOCOL
  if (!first && !connection.anew && message.missed) {
    // Back after a lost connection: what happened meanwhile is shown like everything else.
    state.queue = [...state.queue, { events: message.missed, because: message.because, state: message }]
    state.revision = message.revision
    void showQueue(state)
  } else {
    state.log = message.missed
      ? message.missed.map((event, at) => ({ event, note: null, because: reasonsAt(message.because, at) }))
      : [{ event: null, note: { key: 'web.log.earlier' }, because: [] }]
    if (first && state.told > 0 && state.told < state.log.length) state.newsFrom = state.told
    connection.anew = false
    stopWatching(state)
    connection.epoch++
    connection.showing = false
    connection.wake?.()
    state.queue = []
    state.scene = null
    settle(state, message)
  }
  if (state.sending) resend(state)
  for (const wish of connection.wishes.values()) connection.socket.send(wish)
  askWaiting(state, connection)
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
