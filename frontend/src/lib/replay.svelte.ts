/** A finished game that is looked at again: frames from the server, drawn by the same boards as at the table. */
import { ApiError } from './api'
import { changed, type Change } from './changes'
import { faceOf, type GameTable } from './game'
import { shownOnly } from './posed'
import type { ReplayShown, ReplayStep, Result, Shuffles, View } from './protocol'
import { settings } from './settings.svelte'
import { pause, perform } from './stage'
import { TableState } from './table.svelte'
import { knows, say, type Params } from './words.svelte'

/** A step with the view after it. */
export type Frame = Omit<ReplayStep, 'changes'> & { view: View }

export class Replay {
  /** The frame that is shown, or is being shown. */
  at = $state(0)
  playing = $state(false)
  /** What is under way: a new number stops whatever was being shown. */
  run: { number: number; wake: (() => void) | null } = { number: 0, wake: null }

  constructor(
    /** What the boards draw. Nobody sits there: the session is empty, and the game is over all the time. */
    readonly table: TableState,
    /** From whose eyes: a seat's name, `public` or `open`. */
    readonly as: string,
    readonly frames: Frame[],
    readonly result: Result,
    /** What the server found when it dealt everything again from the secret. */
    readonly shuffles: Shuffles,
  ) {}
}

/** Where a game comes from: a table of this server, or the text of a record. */
export type Source = { table: string } | { text: string; name: string }

/** A record that cannot be shown: what is wrong, and in which line. */
export class BadRecord extends Error {
  constructor(
    public code: string,
    public line: number,
    public params: Params,
  ) {
    super(code)
  }
}

/** What is wrong with a record, without its line. */
export function wrongIn({ code, params }: BadRecord): string {
  const key = `problem.${String(params.why)}`
  return say(`web.record.${code}`, knows(key) ? { ...params, problem: `${String(params.entry)}: ${say(key, params)}` } : params)
}

async function fetched(source: Source, as: string): Promise<ReplayShown> {
  let response: Response
  try {
    response = await ('table' in source
      ? fetch(`/api/tables/${encodeURIComponent(source.table)}/replay?as=${as}`)
      : fetch(`/api/replay?as=${as}`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: source.text }))
  } catch {
    throw new ApiError(0, 'unreachable', 'the server cannot be reached')
  }
  const body = await response.json().catch(() => null)
  if (response.ok) return body as ReplayShown
  const error = body?.error ?? {}
  if (error.code === 'bad_record') throw new BadRecord(error.params.code, error.params.line, error.params)
  throw new ApiError(response.status, error.code ?? 'unknown', error.message ?? response.statusText)
}

/** The record that `drunemeton replay FILE` was started with. */
export async function recordOfServer(): Promise<string> {
  const response = await fetch('/api/record').catch(() => null)
  if (!response?.ok) throw new ApiError(response?.status ?? 0, response ? 'no_table' : 'unreachable', 'no record')
  return response.text()
}

/** The record of a finished game. */
export async function recordOf(source: Source): Promise<string> {
  if (!('table' in source)) return source.text
  const response = await fetch(`/api/tables/${encodeURIComponent(source.table)}/record`)
  if (!response.ok) throw new ApiError(response.status, 'no_table', 'no record')
  return response.text()
}

/** Fetch a game as somebody saw it; `at` is the frame to begin with. */
export async function open(source: Source, as: string, at: number): Promise<Replay> {
  const answer = await fetched(source, as)
  const load = faceOf(answer.game)?.table
  if (!load) throw new ApiError(404, 'lost', answer.game)
  const game: GameTable = await load()
  let view = answer.view as View
  const frames = answer.frames.map(({ changes, ...step }) => ({ ...step, view: (view = changed(view, changes as Change[])) }))
  const table = new TableState('', '', game)
  const { options, components, provenance, seats, auditable, commitment, secret } = answer
  table.info = shownOnly({ game: answer.game, options, components, provenance, seats, auditable, commitment: commitment ?? '', secret })
  // All open: the table is seen from the first seat.
  table.seat = as === 'open' ? 0 : answer.seat
  table.result = answer.result
  table.secret = secret
  const replay = new Replay(table, as, frames, answer.result, answer.shuffles)
  jump(replay, at)
  return replay
}

// --- Showing

export const last = (replay: Replay): number => replay.frames.length - 1

function settle(replay: Replay): void {
  const frame = replay.frames[replay.at]!
  const { table } = replay
  table.scene = null
  table.skipping = false
  table.shown = frame.view
  table.turn = frame.turn
}

/** Stop, and show the table as it was after a step. */
export function jump(replay: Replay, at: number): void {
  const { run } = replay
  run.number++
  run.wake?.()
  replay.playing = false
  replay.at = Math.max(0, Math.min(last(replay), at))
  settle(replay)
}

/** Show the next step, event by event as at the table; whether it was shown to its end. */
async function show(replay: Replay): Promise<boolean> {
  const { table } = replay
  const { run } = replay
  const number = ++run.number
  run.wake?.()
  settle(replay)
  const frame = replay.frames[++replay.at]!
  const stopped = () => run.number !== number
  if (!(await perform(table, { events: frame.events, because: frame.because, last: frame.view, cue: run, stopped }))) return false
  settle(replay)
  return true
}

export async function forward(replay: Replay): Promise<void> {
  replay.playing = false
  // Pressed while something moves: its outcome at once, then on.
  if (replay.at < last(replay)) await show(replay)
  else jump(replay, replay.at)
}

export const back = (replay: Replay): void => jump(replay, replay.at - (replay.table.scene ? 0 : 1))

/** Milliseconds between two steps at speed 1; where nothing moves, every step is looked at for longer. */
const BETWEEN = 350
const STILL = 900

export async function play(replay: Replay): Promise<void> {
  if (replay.at >= last(replay)) jump(replay, 0)
  replay.playing = true
  const { run } = replay
  while (replay.playing && replay.at < last(replay)) {
    if (!(await show(replay))) return
    const number = run.number
    await pause(run, settings.speed === 0 ? STILL : BETWEEN / settings.speed)
    if (run.number !== number) return
  }
  replay.playing = false
}

/** Stop after the event that is being shown: its step is then shown as it ended. */
export const stop = (replay: Replay): void => jump(replay, replay.at)

/** A tap on the board wants to see the outcome now. */
export const hurry = (replay: Replay): void => replay.run.wake?.()

export function toggle(replay: Replay): void {
  if (replay.playing) stop(replay)
  else void play(replay)
}
