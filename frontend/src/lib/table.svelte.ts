/** A table as this browser sees it: one state, and functions over it. Words and drawings are elsewhere. */
import type { GameTable, Scene } from './game'
import type { Foreseen, GameEvent, Reason, Result, ServerMessage, StateFields, TableInfo, View } from './protocol'
import { moves, settings } from './settings.svelte'
import { openSocket, type Socket } from './socket'

/** A line of the log: something that happened, or a note of the page's own. */
export interface Told {
  event: GameEvent | null
  note: string | null
}

/** What has arrived and is still to be shown. */
interface Batch {
  events: GameEvent[]
  state: StateFields
}

export interface TableState {
  id: string
  /** Our right to speak at this table; never drawn. */
  session: string
  /** Our seat; null for a watcher. */
  seat: number | null
  game: GameTable
  /** Game, options, provenance, commitment: what does not change; null until the server has welcomed us. */
  info: TableInfo | null
  line: 'joining' | 'open' | 'lost' | 'refused'
  /** Why the server will not have us. */
  trouble: string | null
  /** The page is older than the server. */
  stale: boolean

  /** The newest revision that has arrived (it may still wait to be shown). */
  revision: number
  /** The revision that is drawn. */
  shownRevision: number
  /** The view that is drawn; runs behind while events are being shown. */
  shown: View
  /** The event being shown, if any, and a number that is new for each. */
  scene: Scene | null
  sceneId: number
  queue: Batch[]
  /** Set while the reader does not want to wait for what is in the queue. */
  skipping: boolean
  /** Everything that belongs to the view that is drawn once the queue is empty. */
  legal: string[]
  turn: number | null
  canUndo: boolean
  presence: string[]
  result: Result | null
  undoAskedBy: number | null
  secret: string | null
  log: Told[]

  /** What the reader has taken up: the game's own business. */
  picked: unknown
  /** The move that has been pointed at and not played yet. */
  armed: string | null
  foreseen: Foreseen[] | null
  /** Outcomes of moves that were asked for since the last change. */
  known: Record<string, Foreseen[]>
  /** A move on its way to the server. */
  sending: { id: string; move: string; revision: number } | null
  /** The last refusal, at the piece that was meant. */
  refusal: { reason: Reason; anchor: string | null } | null
}

interface About {
  move: string
  anchor: string | null
}

interface Line {
  socket: Socket
  /** Previews under way: the id sent, and which move and piece they were about. */
  asked: Map<string, About>
  /** Previews still to be asked for: the server answers only so many a second. */
  waiting: About[]
  budget: number
  refill: number
  wake: (() => void) | null
  showing: boolean
  regreeted: number
}

/** Previews at once, and the pause after which one more may be asked for. */
const BURST = 8
const REFILL_MS = 300
/** Whoever only passes over a place with the mouse has not asked yet. */
const HOVER_MS = 70

const lines = new WeakMap<TableState, Line>()

export function newTable(id: string, session: string, game: GameTable): TableState {
  const state = $state<TableState>({
    id,
    session,
    seat: null,
    game,
    info: null,
    line: 'joining',
    trouble: null,
    stale: false,
    revision: -1,
    shownRevision: -1,
    shown: {},
    scene: null,
    sceneId: 0,
    queue: [],
    skipping: false,
    legal: [],
    turn: null,
    canUndo: false,
    presence: [],
    result: null,
    undoAskedBy: null,
    secret: null,
    log: [],
    picked: null,
    armed: null,
    foreseen: null,
    known: {},
    sending: null,
    refusal: null,
  })
  return state
}

export function join(state: TableState, build: string | null): void {
  const socket = openSocket(state.id, {
    // At first we ask for everything since the beginning, later for what we missed.
    hello: () => ({ session: state.session, build, revision: Math.max(0, state.revision) }),
    hear: (message) => hear(state, message, build),
    line: (open) => {
      if (state.line !== 'refused') state.line = open ? state.line : 'lost'
    },
  })
  lines.set(state, { socket, asked: new Map(), waiting: [], budget: BURST, refill: 0, wake: null, showing: false, regreeted: -1 })
}

export function leave(state: TableState): void {
  const line = lines.get(state)
  line?.socket.close()
  clearTimeout(line?.refill)
  line?.wake?.()
  lines.delete(state)
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
      state.queue.push({ events: [], state: message })
      void showQueue(state)
      break
    case 'events':
      if (message.revision > state.revision + 1 && state.revision >= 0 && line.regreeted !== message.revision) {
        line.regreeted = message.revision
        line.socket.send({ type: 'hello', session: state.session, build, revision: state.revision })
        return
      }
      state.revision = message.revision
      state.queue.push({ events: message.events, state: message })
      void showQueue(state)
      break
    case 'ack':
      if (state.sending?.id === message.id) state.sending = null
      break
    case 'refused': {
      const about = line.asked.get(message.id)
      line.asked.delete(message.id)
      if (state.sending?.id === message.id) state.sending = null
      state.refusal = { reason: message.reason, anchor: about?.anchor ?? null }
      state.armed = null
      break
    }
    case 'previewed': {
      const about = line.asked.get(message.id)
      line.asked.delete(message.id)
      if (!about) break
      state.known[about.move] = message.foreseen
      if (state.armed === about.move) state.foreseen = message.foreseen
      break
    }
    case 'error':
      state.trouble = message.code
      if (state.info === null) {
        state.line = 'refused'
        line.socket.close()
      }
      break
    case 'pong':
      break
  }
}

function welcome(state: TableState, line: Line, message: Extract<ServerMessage, { type: 'welcome' }>, build: string | null): void {
  const first = state.info === null
  state.info = message.table
  state.seat = message.seat
  state.line = 'open'
  state.stale = build !== null && message.build !== build
  if (!first && message.missed) {
    // Back after a lost connection: what happened meanwhile is shown like everything else.
    state.queue.push({ events: message.missed, state: message })
    state.revision = message.revision
    void showQueue(state)
  } else {
    state.log = message.missed ? message.missed.map((event) => ({ event, note: null })) : [{ event: null, note: 'web.log.earlier' }]
    state.queue = []
    state.scene = null
    line.wake?.()
    settle(state, message)
  }
  if (state.sending) resend(state)
}

/** Take over everything that comes with a view. */
function settle(state: TableState, fields: StateFields): void {
  // Somebody came or went: what the reader has in the hand stays there.
  const same = fields.revision === state.shownRevision
  state.shownRevision = fields.revision
  state.revision = Math.max(state.revision, fields.revision)
  if (!same) {
    state.known = {}
    const line = lines.get(state)
    if (line) line.waiting = []
    putDown(state)
  }
  state.shown = fields.view
  state.legal = fields.legal
  state.turn = fields.turn
  state.canUndo = fields.can_undo
  state.presence = fields.presence
  state.result = fields.result
  state.undoAskedBy = fields.undo_asked_by
  state.secret = fields.secret ?? null
  if (fields.seats && state.info) state.info.seats = fields.seats
}

// --- Showing, event by event

async function showQueue(state: TableState): Promise<void> {
  const line = lines.get(state)
  if (!line || line.showing) return
  line.showing = true
  for (let batch = state.queue.shift(); batch; batch = state.queue.shift()) {
    if (batch.events.length) {
      state.legal = []
      putDown(state)
    }
    if (batch.state.note?.kind === 'undo' || batch.state.note?.kind === 'undone') state.log.push({ event: null, note: 'web.log.undone' })
    for (const [at, event] of batch.events.entries()) {
      state.log.push({ event, note: null })
      if (!lines.has(state)) return
      if (settings.speed === 0 || state.skipping || document.hidden) continue
      const scene = state.game.scene(state.shown, event, batch.events.slice(at + 1), batch.state.view)
      if (scene.ms > 0) {
        state.scene = scene
        state.sceneId++
        state.shown = scene.during
        // Without motion an event is a short pause with its piece lit up.
        await pause(line, moves() ? scene.ms / settings.speed : Math.min(scene.ms, 260))
        if (!lines.has(state)) return
      }
      state.shown = scene.view
    }
    state.scene = null
    settle(state, batch.state)
  }
  state.skipping = false
  line.showing = false
}

function pause(line: Line, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      line.wake = null
      resolve()
    }
    line.wake = done
  })
}

export const isShowing = (state: TableState): boolean => state.scene !== null

/** Show the outcome of everything in the queue at once. */
export function skip(state: TableState): void {
  if (!state.scene) return
  state.skipping = true
  lines.get(state)?.wake?.()
}

// --- Acting

export const mayAct = (state: TableState): boolean =>
  state.seat !== null && state.turn === state.seat && state.legal.length > 0 && !state.sending && state.scene === null && state.result === null

const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join('')

/** Point at a move: light it up and, if the reader wants that, ask what it will bring. */
export function arm(state: TableState, move: string, anchor: string | null = null): void {
  if (state.armed === move) return
  state.refusal = null
  state.armed = move
  state.foreseen = state.known[move] ?? null
  if (settings.preview && !state.foreseen) setTimeout(() => state.armed === move && foresee(state, move, anchor), HOVER_MS)
}

/** Ask what a move will bring. An illegal one is answered with its reason, and nothing changes. */
export function foresee(state: TableState, move: string, anchor: string | null = null): void {
  const line = lines.get(state)
  if (!line || state.known[move] || [...line.asked.values()].some((about) => about.move === move)) return
  line.waiting = [{ move, anchor }, ...line.waiting.filter((about) => about.move !== move)]
  ask(state, line)
}

function ask(state: TableState, line: Line): void {
  while (line.waiting.length > 0 && line.budget > 0) {
    const about = line.waiting.shift()!
    const id = newId()
    line.budget--
    line.asked.set(id, about)
    line.socket.send({ type: 'preview', id, revision: state.revision, move: about.move })
  }
  line.refill ||= window.setTimeout(() => {
    line.refill = 0
    line.budget = Math.min(BURST, line.budget + 1)
    if (line.waiting.length > 0 || line.budget < BURST) ask(state, line)
  }, REFILL_MS)
}

/** A tap or a press on a move: the first points at it, the second plays it. */
export function choose(state: TableState, move: string, anchor: string | null = null): void {
  if (!state.legal.includes(move)) return foresee(state, move, anchor)
  if (settings.confirm && state.armed !== move) arm(state, move, anchor)
  else play(state, move)
}

export function play(state: TableState, move: string): void {
  if (!mayAct(state)) return
  state.sending = { id: newId(), move, revision: state.revision }
  putDown(state)
  resend(state)
}

function resend(state: TableState): void {
  if (!state.sending) return
  lines.get(state)?.socket.send({ type: 'move', ...state.sending })
}

export function putDown(state: TableState): void {
  state.picked = null
  disarm(state)
  state.refusal = null
}

export function disarm(state: TableState): void {
  state.armed = null
  state.foreseen = null
}

export function refuse(state: TableState, code: string, anchor: string | null): void {
  state.refusal = { reason: { code, rule: null, params: {} }, anchor }
}

export const undo = (state: TableState) => lines.get(state)?.socket.send({ type: 'undo', id: newId() })
export const resign = (state: TableState) => lines.get(state)?.socket.send({ type: 'resign', id: newId() })
