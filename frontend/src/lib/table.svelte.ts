/** A table as this browser sees it: one state, and functions over it. Words and drawings are elsewhere. */
import type { AnyView, GameTable, Saying, Scene } from './game'
import { byKeyboard } from './input'
import { connections, newId, PREVIEWS_AT_ONCE, type Connection } from './connection'
import type {
  Because,
  Clocks,
  Coached,
  Explained,
  Foreseen,
  GameEvent,
  Hinted,
  Reason,
  Result,
  Spoken,
  StateFields,
  TableInfo,
  WhyShown,
} from './protocol'
import { settings } from './settings.svelte'

export type Phrase = NonNullable<Spoken['phrase']>

/** A line of the log: something that happened, or a note of the page's own. */
export interface Told {
  event: GameEvent | null
  note: Saying | null
  /** Why it happened. */
  because: Because[]
  /** It was taken back. */
  undone?: boolean
  /** How it was shown, for whoever wants to see it once more: null if there was nothing to see, undefined if the server has to be asked. */
  scene?: Scene | null
}

/** What has arrived and is still to be shown. */
interface Batch {
  events: GameEvent[]
  because: Because[]
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
  /** How we stand with the server. */
  contact = $state<'joining' | 'open' | 'lost' | 'replaced' | 'refused'>('joining')
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
  /** Decisions of ours that were none: the stage waits until they have been read. */
  held = $state.raw<Told[] | null>(null)
  /** The events of the story that are pointed at: their places are lit. */
  lit = $state.raw<GameEvent[]>([])
  /** Set while the reader does not want to wait for what is in the queue. */
  skipping = $state(false)
  /** Set while he wants to see it, but faster. */
  hurried = $state(false)
  /** Everything that belongs to the view that is drawn once the queue is empty. */
  legal = $state.raw<string[]>([])
  turn = $state<number | null>(null)
  /** The rule that matters for what is to be decided now. */
  rule = $state<string | null>(null)
  canUndo = $state(false)
  /** There is a step of our own to take back, if need be by asking. */
  hasMoved = $state(false)
  presence = $state.raw<string[]>([])
  /** Seats whose people let everybody see the chances while they play. */
  agreed = $state.raw<number[]>([])
  /** Seats that nobody has entered yet: nothing is dealt before. */
  waitingFor = $state.raw<number[]>([])
  /** By seat: how many secrets it was told in steps that were taken back by consent. */
  seen = $state.raw<number[]>([])
  result = $state.raw<Result | null>(null)
  undoAskedBy = $state<number | null>(null)
  /** The seats that have yet to say whether something may be taken back. */
  undoWaiting = $state.raw<number[]>([])
  secret = $state<string | null>(null)
  /** The table at which these players go on. */
  rematch = $state<string | null>(null)
  /** The goal of the stage that is played here is reached. */
  lessonDone = $state(false)
  /** Of each seat, at the end: what its player may leave out in a rematch, one of each list. */
  leftOut = $state<string[][][]>([])
  clocks = $state.raw<Clocks | null>(null)
  /** When `clocks` arrived, by this page's own time. */
  clocksAt = $state(0)
  log = $state.raw<Told[]>([])
  /** What was said at the table since we came. */
  words = $state.raw<Spoken[]>([])
  /** Seats whose people have been here, and who has just come, or come back. */
  cameBefore = new Set<number>()
  arrived = $state.raw<{ seat: number; back: boolean } | null>(null)
  /** The first line of the log that is news to him; null when he has taken note. */
  newsFrom = $state<number | null>(null)

  /** What the reader has taken up: the game's own business. */
  picked = $state.raw<unknown>(null)
  /** The move that has been pointed at and not played yet. */
  armed = $state<string | null>(null)
  /** The move that was chosen, and waits to be played: pointing elsewhere does not change it. */
  chosen = $state<string | null>(null)
  foreseen = $state.raw<Foreseen[] | null>(null)
  /** What the move pointed at would cost, once the reader has been asked whether he means it. */
  warning = $state<string | null>(null)
  /** Outcomes of moves that were asked for since the last change. */
  known = $state.raw<Record<string, Foreseen[]>>({})
  /** The moves that look best, once that was asked for. */
  hint = $state.raw<Hinted[] | 'thinking' | null>(null)
  /** Why the first of them looks better than the last. */
  reasons = $state.raw<WhyShown[]>([])
  /** Which of them is shown. */
  advised = $state(0)
  /** What the coach says, and at which revision. */
  coached = $state.raw<Coached | null>(null)
  /** What was last asked about a thing on the table. */
  explained = $state.raw<Explained | null>(null)
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

/** The pause after which one more preview may be asked for. */
const REFILL_MS = 300
/** Whoever only passes over a place with the mouse has not asked yet. */
const HOVER_MS = 70

/** Show the outcome of everything in the queue at once. */
export function skip(state: TableState): void {
  if (state.held) return goOn(state)
  if (!state.scene) return
  state.skipping = true
  connections.get(state)?.wake?.()
}

/** What was no decision has been read. */
export const goOn = (state: TableState): void => connections.get(state)?.wake?.()

// --- Acting

/** A stage is played here, not a game: nobody wins or gives up, and only what the stage speaks of is shown. */
export const isStage = (state: TableState): boolean => state.info?.lesson?.closing === false

/** The goal of a stage is reached: nothing more is asked of anybody there. */
export const isTaught = (state: TableState): boolean => state.lessonDone && isStage(state)

export const mayAct = (state: TableState): boolean =>
  state.seat !== null &&
  state.turn === state.seat &&
  state.legal.length > 0 &&
  !state.sending &&
  state.scene === null &&
  state.held === null &&
  state.result === null &&
  !isTaught(state) &&
  !state.info?.seats[state.seat]?.bot

/** Point at a move: light it up and, if the reader wants that, ask what it will bring. What has been chosen stays. */
export function arm(state: TableState, move: string, anchor: string | null = null): void {
  if (state.armed === move || state.chosen) return
  state.refusal = null
  state.armed = move
  state.warning = null
  state.foreseen = state.known[move] ?? null
  if (settings.preview && !state.foreseen) setTimeout(() => state.armed === move && foresee(state, move, anchor), HOVER_MS)
}

/** Ask what a move will bring. An illegal one is answered with its reason, and nothing changes. */
export function foresee(state: TableState, move: string, anchor: string | null = null): void {
  const connection = connections.get(state)
  if (!connection || state.known[move] || [...connection.asked.values()].some((about) => about.move === move)) return
  connection.waiting = [{ move, anchor, revision: state.shownRevision }, ...connection.waiting.filter((about) => about.move !== move)]
  askWaiting(state, connection)
}

export function askWaiting(state: TableState, connection: Connection): void {
  while (connection.waiting.length > 0 && connection.budget > 0) {
    const about = connection.waiting.shift()!
    const id = newId()
    connection.budget--
    connection.asked.set(id, about)
    connection.socket.send({ type: 'preview', id, revision: about.revision, move: about.move })
  }
  connection.refill ||= window.setTimeout(() => {
    connection.refill = 0
    connection.budget = Math.min(PREVIEWS_AT_ONCE, connection.budget + 1)
    if (connection.waiting.length > 0 || connection.budget < PREVIEWS_AT_ONCE) askWaiting(state, connection)
  }, REFILL_MS)
}

/** Choose a move without playing it yet; advice for another one has been answered by that. */
export function hold(state: TableState, move: string, anchor: string | null = null): void {
  if (Array.isArray(state.hint) && state.hint[state.advised]?.move !== move) state.hint = null
  if (state.armed !== move) disarm(state)
  state.chosen = null
  arm(state, move, anchor)
  state.chosen = move
}

export const playsAtOnce = (state: TableState, move: string): boolean => state.game.atOnce?.(move, state.legal) ?? false

/** A tap or a press on a move: the first chooses, the second plays. Focus by keyboard, unlike a passing mouse, counts as the first. */
export function choose(state: TableState, move: string, anchor: string | null = null): void {
  if (!state.legal.includes(move)) {
    // Why not is answered at the piece; what was pointed at before is let go.
    disarm(state)
    return foresee(state, move, anchor)
  }
  const meant = state.chosen === move || (byKeyboard() && state.armed === move) || playsAtOnce(state, move)
  if (settings.confirm && !meant && !warningOf(state, move)) hold(state, move, anchor)
  else insist(state, move, anchor)
}

const warningOf = (state: TableState, move: string): string | null =>
  state.seat === null ? null : (state.game.warns?.(move, state.shown, state.seat) ?? null)

/** Play a move that is meant; one that costs something is asked about first, and played when it is chosen once more. */
export function insist(state: TableState, move: string, anchor: string | null = null): void {
  const warning = state.armed === move && state.warning ? null : warningOf(state, move)
  if (!warning) return play(state, move)
  hold(state, move, anchor)
  state.warning = warning
}

export function play(state: TableState, move: string): void {
  if (!mayAct(state)) return
  state.sending = { id: newId(), move, revision: state.revision }
  const connection = connections.get(state)
  if (connection) connection.played = null
  state.newsFrom = null
  state.lit = []
  putDown(state)
  resend(state)
}

export function resend(state: TableState): void {
  if (!state.sending) return
  connections.get(state)?.socket.send({ type: 'move', ...state.sending })
}

export function putDown(state: TableState): void {
  state.picked = null
  disarm(state)
  state.refusal = null
}

export function disarm(state: TableState): void {
  state.armed = null
  state.chosen = null
  state.warning = null
  state.foreseen = null
}

export function refuse(state: TableState, code: string, anchor: string | null): void {
  state.refusal = { reason: { code, rule: null, params: {} }, anchor }
}

/** A wish that is no move: said again until it is answered. */
function wish(state: TableState, fields: Record<string, unknown>): void {
  const connection = connections.get(state)
  if (!connection) return
  const message = { ...fields, id: newId() }
  state.notice = null
  connection.wishes.set(message.id, message)
  if (state.contact === 'open') connection.socket.send(message)
}

/** Take the last step back, or ask the others whether we may. */
export const undo = (state: TableState) => wish(state, { type: 'undo' })
export const answerUndo = (state: TableState, agree: boolean) => wish(state, { type: 'undo_answer', agree })
/** Let everybody see the chances while we play, or no longer. */
export const agree = (state: TableState, to: boolean) => wish(state, { type: 'agree', agree: to })
export const resign = (state: TableState) => wish(state, { type: 'resign' })
/** A bot plays our seat, or that of somebody who has been away for long. */
export const callBot = (state: TableState, seat: number | null) =>
  wish(state, seat === null ? { type: 'bot_takes' } : { type: 'bot_takes', seat })
/** Say something to the others at the table. */
export const speakUp = (state: TableState, phrase: Phrase) => wish(state, { type: 'phrase', phrase })
export const writeTo = (state: TableState, text: string) => wish(state, { type: 'chat', text })
/** Which moves look best, from what this seat can know. */
export function askHint(state: TableState): void {
  if (state.hint === 'thinking') return
  state.hint = 'thinking'
  wish(state, { type: 'hint', revision: state.shownRevision })
}
/** Show one of the moves that look best, on the board as if it had been chosen. */
export function advise(state: TableState, at: number): void {
  const one = Array.isArray(state.hint) ? state.hint[at] : undefined
  if (!one || !mayAct(state)) return
  putDown(state)
  state.advised = at
  hold(state, one.move)
}
export const comeBack = (state: TableState) => wish(state, { type: 'bot_returns' })
