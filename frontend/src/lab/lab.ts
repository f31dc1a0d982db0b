/** Experiments: what is asked for, what comes back, and figures as they are told. */
import { ApiError } from '../lib/api'
import type { GameInfo, LabBegun, LabOpen } from '../lib/protocol'
import { faceOf } from '../lib/game'
import { knows, language, say, word } from '../lib/words.svelte'

export interface Figure {
  mean: number
  low: number
  high: number
  spread: number
}
export interface Difference {
  mean: number
  low: number
  high: number
  chance: number
}
export interface Finding extends Difference {
  setting: string
  measure: string
}
export interface Setting {
  name: string
  players: string[]
}
export interface LabResult {
  lab: number
  deals: number
  experiment: { game: string; title: string; deals: number; seed: number; mirrored: boolean; settings: Setting[] }
  measures: string[]
  figures: Record<string, Figure>[]
  differences: Record<string, Difference>[]
  findings: Finding[]
  extremes: Record<string, number>[]
  luck: (Record<string, number> | null)[]
}
/** One change: an option or an entry of the components, and the value that is tried. */
export interface Change {
  name: string
  value: unknown
}
export type Heard =
  | { kind: 'progress'; done: number; of: number; result: LabResult }
  | { kind: 'done'; cut: boolean; result: LabResult }
  | { kind: 'failed'; problem: string }

async function answer<T>(path: string, init?: RequestInit): Promise<T> {
  const got = await fetch(path, init).catch(() => null)
  if (!got) throw new ApiError(0, 'unreachable', 'the server cannot be reached')
  const body = await got.json().catch(() => null)
  if (!got.ok) {
    const error = body?.error ?? {}
    throw new ApiError(got.status, error.code ?? 'unknown', error.message ?? got.statusText, error.entry ?? null, error.params)
  }
  return body as T
}

export const laboratory = () => answer<LabOpen>('/api/lab')

export interface Asked {
  game: string
  players: string[]
  deals: number
  mirrored: boolean
  vary: { set: string; to: unknown[] }[]
}
export const begin = (asked: Asked) =>
  answer<LabBegun>('/api/lab', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) })
export const end = (run: string) => answer<unknown>(`/api/lab/${run}`, { method: 'DELETE' })

export async function recordOf(run: string, setting: string, deal: number): Promise<string> {
  const got = await fetch(`/api/lab/${run}/game?deal=${deal}&setting=${encodeURIComponent(setting)}`)
  if (!got.ok) throw new ApiError(got.status, 'unknown', got.statusText)
  return got.text()
}

/** What is said of a run, as it comes; the answer stops listening. */
export function listen(run: string, heard: (what: Heard) => void): () => void {
  const source = new EventSource(`/api/lab/${run}/events`)
  for (const kind of ['progress', 'done', 'failed'] as const)
    source.addEventListener(kind, (event) => {
      const what = JSON.parse((event as MessageEvent<string>).data) as Heard
      if (what.kind !== 'progress') source.close()
      heard(what)
    })
  return () => source.close()
}

// --- Figures in words

const SHARES = ['end', 'seat', 'player', 'starter']
export const isShare = (measure: string): boolean =>
  SHARES.includes(measure.split('.')[0]!) || measure === 'open.until' || measure === 'choice.narrow'

export function told(measure: string, value: number, sign = false): string {
  const signDisplay = sign ? 'exceptZero' : 'auto'
  if (isShare(measure)) return new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 1, signDisplay }).format(value)
  return new Intl.NumberFormat(language(), { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1, signDisplay }).format(value)
}

/** A measure in words: `end.points`, `use.card 5` have a family, and a name of their own. */
export function nameOf(game: GameInfo | undefined, measure: string): string {
  if (knows(`lab.measure.${measure}`)) return say(`lab.measure.${measure}`)
  const [family = '', what = ''] = measure.split(/\.(.*)/)
  const named = family === 'seat' || family === 'end' ? word(what, (faceOf(game?.name ?? '')?.rulePrefix ?? '').toLowerCase()) : thing(what)
  return say(`lab.measure.${family}`, { what: named })
}
const thing = (what: string): string => what.replaceAll('_', ' ')

/** A setting as it was written, `demons=6`, or in whole words. */
export const settingName = (name: string): string => (name === 'default' ? say('lab.default') : name)
export function settingInWords(game: string, name: string): string {
  const at = name.lastIndexOf('=')
  return at < 1 || name.includes(' ') ? settingName(name) : `${knobName(game, name.slice(0, at))} = ${name.slice(at + 1)}`
}

/** The label of an option or an entry, as the set-up page has it. */
export function knobName(game: string, name: string): string {
  const option = `web.option.${game}.${name}`
  if (knows(option)) return say(option)
  const [head = '', ...rest] = name.split('.')
  const entry = knows(`lab.entry.${head}`) ? say(`lab.entry.${head}`) : head
  return rest.length ? `${entry}: ${rest.join(' ')}` : entry
}

export const text = (value: unknown): string => (Array.isArray(value) ? value.join('+') : String(value))

/** Two results side by side, by their first settings; no deals are paired. */
export function compared(one: LabResult, other: LabResult) {
  return one.measures
    .filter((measure) => other.figures[0]?.[measure] && (one.figures[0]![measure]!.mean || other.figures[0][measure].mean))
    .map((measure) => {
      const [a, b] = [one.figures[0]![measure]!, other.figures[0]![measure]!]
      const error = Math.sqrt(a.spread ** 2 / one.deals + b.spread ** 2 / other.deals)
      const gap = b.mean - a.mean
      return { measure, one: a.mean, other: b.mean, mean: gap, low: gap - 1.96 * error, high: gap + 1.96 * error }
    })
}
