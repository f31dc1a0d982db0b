/** A table as this browser sees it: one state, and functions over it. Words and drawings are elsewhere. */
import type { AnyView, GameTable, Saying, Scene } from './game'
import { noteSaying } from './people'
import type { Clocks, Foreseen, GameEvent, Hinted, Reason, Result, ServerMessage, StateFields, TableInfo } from './protocol'
import { moves, settings } from './settings.svelte'
import { openSocket, type Socket } from './socket'

/** A line of the log: something that happened, or a note of the page's own. */
export interface Told {
  event: GameEvent | null
  note: Saying | null
}

/** What has arrived and is still to be shown. */
interface Batch {
  events: GameEvent[]
  state: StateFields
}

/** What arrives is shared and never changed in place, so it is watched as a whole, not piece by piece. */
export class TableState<V = AnyView> {
  readonly id: string
  /** Our right to speak at this table; never drawn. */
  session: string
  /** Sessions of those who share this device: they are here too, though only one of us looks. */
  beside: string[]
  readonly game: GameTable<V>
  /** How many events this person had been told before he came. */
  readonly told: number

  /** Our seat; null for a watcher. */
  seat = $state<number | null>(null)
  /** Game, options, provenance, commitment: what does not change; null until the server has welcomed us. */
  info = $state.raw<TableInfo | null>(null)
  line = $state<'joining' | 'open' | 'lost' | 'replaced' | 'refused'>('joining')
  /** Why the server will not have us. */
  trouble = $state<string | null>(null)
  /** The page is older than the server. */
  stale = $state(false)

  /** The newest revision that has arrived (it may still wait to be shown). */
  revision = $state(-1)
  /** The revision that is drawn. */
  shownRevision = $state(-1)
  /** The view that is drawn; runs behind while events are being shown. */
  shown = $state.raw<V>({} as V)
  /** The event being shown, if any, and a number that is new for each. */
  scene = $state.raw<Scene<V> | null>(null)
  sceneId = $state(0)
  queue = $state.raw<Batch[]>([])
  /** Set while the reader does not want to wait for what is in the queue. */
  skipping = $state(false)
  /** Everything that belongs to the view that is drawn once the queue is empty. */
  legal = $state.raw<string[]>([])
  turn = $state<number | null>(null)
  canUndo = $state(false)
  /** There is a step of our own to take back, if need be by asking. */
  hasMoved = $state(false)
  presence = $state.raw<string[]>([])
  /** Seats that nobody has entered yet: nothing is dealt before. */
  waitingFor = $state.raw<number[]>([])
  result = $state.raw<Result | null>(null)
  undoAskedBy = $state<number | null>(null)
  /** The seats that have yet to say whether something may be taken back. */
  undoWaiting = $state.raw<number[]>([])
  secret = $state<string | null>(null)
  /** The table at which these players go on. */
  rematch = $state<string | null>(null)
  /** The goal of the stage that is played here is reached. */
  lessonDone = $state(false)
  clocks = $state.raw<Clocks | null>(null)
  /** When `clocks` arrived, by this page's own time. */
  clocksAt = $state(0)
  log = $state.raw<Told[]>([])
  /** The first line of the log that is news to him; null when he has taken note. */
  newsFrom = $state<number | null>(null)

  /** What the reader has taken up: the game's own business. */
  picked = $state.raw<unknown>(null)
  /** The move that has been pointed at and not played yet. */
  armed = $state<string | null>(null)
  foreseen = $state.raw<Foreseen[] | null>(null)
  /** What the move pointed at would cost, once the reader has been asked whether he means it. */
  warning = $state<string | null>(null)
  /** Outcomes of moves that were asked for since the last change. */
  known = $state.raw<Record<string, Foreseen[]>>({})
  /** The moves that look best, once that was asked for. */
  hint = $state.raw<Hinted[] | 'thinking' | null>(null)
  /** A move on its way to the server, until what it brought is here too. */
  sending = $state.raw<{ id: string; move: string; revision: number } | null>(null)
  /** The last refusal, at the piece that was meant. */
  refusal = $state.raw<{ reason: Reason; anchor: string | null } | null>(null)
  /** Why something that is no move could not be done. */
  notice = $state.raw<Reason | null>(null)

  constructor(id: string, session: string, game: GameTable<V>, beside: string[] = [], told = 0) {
    this.id = id
    this.session = session
    this.game = game
    this.beside = beside
    this.told = told
  }
}

interface About {
  move: string
  anchor: string | null
  revision: number
}

interface Line {
  socket: Socket
  /** Previews under way: the id sent, and which move and piece they were about. */
  asked: Map<string, About>
  /** Previews still to be asked for: the server answers only so many a second. */
  waiting: About[]
  /** Wishes that are no moves and have not been answered: said again after a lost connection. */
  wishes: Map<string, Record<string, unknown>>
  budget: number
  refill: number
  wake: (() => void) | null
  showing: boolean
  /** New whenever everything is shown anew: whatever was being shown then stops. */
  epoch: number
  /** Our move is durable as this revision; what it brought may still be under way. */
  played: number | null
  /** We have asked for the whole story once more. */
  anew: boolean
  regreeted: number
}

/** Previews at once, and the pause after which one more may be asked for. */
const BURST = 8
const REFILL_MS = 300
/** Whoever only passes over a place with the mouse has not asked yet. */
const HOVER_MS = 70

const lines = new WeakMap<TableState, Line>()

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
    budget: BURST,
    refill: 0,
    wake: null,
    showing: false,
    epoch: 0,
    played: null,
    anew: false,
    regreeted: -1,
  })
}

const hello = (state: TableState, build: string | null, revision: number) => ({
  session: state.session,
  build,
  revision,
  beside: state.beside,
})

export function leave(state: TableState): void {
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
    picked: null,
    armed: null,
    foreseen: null,
    known: {},
    hint: null,
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
      state.queue = [...state.queue, { events: [], state: message }]
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
      state.queue = [...state.queue, { events: message.events, state: message }]
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
      if (line.wishes.delete(message.id) && message.revision === state.shownRevision) state.hint = message.moves
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
  } else if (line.wishes.delete(id)) {
    if (state.hint === 'thinking') state.hint = null
    state.notice = reason
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
  state.info = message.table
  state.seat = message.seat
  state.line = 'open'
  atOnce(state, message)
  state.stale = build !== null && message.build !== build
  if (!first && !line.anew && message.missed) {
    // Back after a lost connection: what happened meanwhile is shown like everything else.
    state.queue = [...state.queue, { events: message.missed, state: message }]
    state.revision = message.revision
    void showQueue(state)
  } else {
    state.log = message.missed
      ? message.missed.map((event) => ({ event, note: null }))
      : [{ event: null, note: { key: 'web.log.earlier' } }]
    if (first && state.told > 0 && state.told < state.log.length) state.newsFrom = state.told
    line.anew = false
    line.epoch++
    line.showing = false
    line.wake?.()
    state.queue = []
    state.scene = null
    settle(state, message)
  }
  if (state.sending) resend(state)
  for (const wish of line.wishes.values()) line.socket.send(wish)
}

/** What does not wait for the events before it to be shown. */
function atOnce(state: TableState, fields: StateFields): void {
  state.presence = fields.presence
  state.clocks = fields.clocks ?? null
  state.clocksAt = performance.now()
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
  state.legal = fields.legal
  state.turn = fields.turn
  state.canUndo = fields.can_undo
  state.hasMoved = fields.has_moved
  state.result = fields.result
  state.undoAskedBy = fields.undo_asked_by
  state.undoWaiting = fields.undo_waiting ?? []
  state.rematch = fields.rematch ?? null
  state.lessonDone = fields.lesson_done
  state.secret = fields.secret ?? null
  if (fields.seats && state.info) state.info = { ...state.info, seats: fields.seats }
}

// --- Showing, event by event

async function showQueue(state: TableState): Promise<void> {
  const line = lines.get(state)
  if (!line || line.showing) return
  line.showing = true
  const epoch = line.epoch
  const stopped = () => lines.get(state) !== line || line.epoch !== epoch
  for (let batch = state.queue[0]; batch; batch = state.queue[0]) {
    state.queue = state.queue.slice(1)
    if (batch.events.length) {
      state.legal = []
      putDown(state)
    }
    if (batch.state.note) {
      if (batch.state.seats && state.info) state.info = { ...state.info, seats: batch.state.seats }
      const note = noteSaying(state, batch.state.note)
      if (note) state.log = [...state.log, { event: null, note }]
    }
    // Who does not look now will want to know later.
    if (batch.events.length && document.hidden) state.newsFrom ??= state.log.length
    for (const [at, event] of batch.events.entries()) {
      state.log = [...state.log, { event, note: null }]
      if (settings.speed === 0 || state.skipping || document.hidden) continue
      const scene = state.game.scene(state.shown, event, batch.events.slice(at + 1), batch.state.view ?? {})
      if (scene.ms > 0) {
        state.scene = scene
        state.sceneId++
        state.shown = scene.during
        // Without motion an event is a short pause with its piece lit up.
        await pause(line, moves() ? scene.ms / settings.speed : Math.min(scene.ms, 260))
        if (stopped()) return
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
  state.seat !== null &&
  state.turn === state.seat &&
  state.legal.length > 0 &&
  !state.sending &&
  state.scene === null &&
  state.result === null &&
  !state.info?.seats[state.seat]?.bot

const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join('')

/** Point at a move: light it up and, if the reader wants that, ask what it will bring. */
export function arm(state: TableState, move: string, anchor: string | null = null): void {
  if (state.armed === move) return
  state.refusal = null
  state.armed = move
  state.warning = null
  state.foreseen = state.known[move] ?? null
  if (settings.preview && !state.foreseen) setTimeout(() => state.armed === move && foresee(state, move, anchor), HOVER_MS)
}

/** Ask what a move will bring. An illegal one is answered with its reason, and nothing changes. */
export function foresee(state: TableState, move: string, anchor: string | null = null): void {
  const line = lines.get(state)
  if (!line || state.known[move] || [...line.asked.values()].some((about) => about.move === move)) return
  line.waiting = [{ move, anchor, revision: state.shownRevision }, ...line.waiting.filter((about) => about.move !== move)]
  ask(state, line)
}

function ask(state: TableState, line: Line): void {
  while (line.waiting.length > 0 && line.budget > 0) {
    const about = line.waiting.shift()!
    const id = newId()
    line.budget--
    line.asked.set(id, about)
    line.socket.send({ type: 'preview', id, revision: about.revision, move: about.move })
  }
  line.refill ||= window.setTimeout(() => {
    line.refill = 0
    line.budget = Math.min(BURST, line.budget + 1)
    if (line.waiting.length > 0 || line.budget < BURST) ask(state, line)
  }, REFILL_MS)
}

/** A tap or a press on a move: the first points at it, the second plays it. */
export function choose(state: TableState, move: string, anchor: string | null = null): void {
  if (!state.legal.includes(move)) {
    // Why not is answered at the piece; what was pointed at before is let go.
    disarm(state)
    return foresee(state, move, anchor)
  }
  if (settings.confirm && state.armed !== move && !warningOf(state, move)) arm(state, move, anchor)
  else insist(state, move, anchor)
}

const warningOf = (state: TableState, move: string): string | null =>
  state.seat === null ? null : (state.game.warns?.(move, state.shown, state.seat) ?? null)

/** Play a move that is meant; one that costs something is asked about first, and played when it is chosen once more. */
export function insist(state: TableState, move: string, anchor: string | null = null): void {
  const warning = state.armed === move && state.warning ? null : warningOf(state, move)
  if (!warning) return play(state, move)
  arm(state, move, anchor)
  state.warning = warning
}

export function play(state: TableState, move: string): void {
  if (!mayAct(state)) return
  state.sending = { id: newId(), move, revision: state.revision }
  const line = lines.get(state)
  if (line) line.played = null
  state.newsFrom = null
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
  state.warning = null
  state.foreseen = null
}

export function refuse(state: TableState, code: string, anchor: string | null): void {
  state.refusal = { reason: { code, rule: null, params: {} }, anchor }
}

/** A wish that is no move: said again until it is answered. */
function wish(state: TableState, fields: Record<string, unknown>): void {
  const line = lines.get(state)
  if (!line) return
  const message = { ...fields, id: newId() }
  state.notice = null
  line.wishes.set(message.id, message)
  if (state.line === 'open') line.socket.send(message)
}

/** Take the last step back, or ask the others whether we may. */
export const undo = (state: TableState) => wish(state, { type: 'undo' })
export const answerUndo = (state: TableState, agree: boolean) => wish(state, { type: 'undo_answer', agree })
export const resign = (state: TableState) => wish(state, { type: 'resign' })
/** A bot plays our seat, or that of somebody who has been away for long. */
export const callBot = (state: TableState, seat: number | null) =>
  wish(state, seat === null ? { type: 'bot_takes' } : { type: 'bot_takes', seat })
/** Which moves look best, from what this seat can know. */
export function askHint(state: TableState): void {
  if (state.hint === 'thinking') return
  state.hint = 'thinking'
  wish(state, { type: 'hint', revision: state.shownRevision })
}
export const comeBack = (state: TableState) => wish(state, { type: 'bot_returns' })
