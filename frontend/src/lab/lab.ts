/** Experiments: what is asked for, what comes back, and figures as they are told. */
import { ApiError } from '../lib/api'
import type { GameInfo, LabBegun, LabOpen, Varied, VariedTogether } from '../lib/protocol'
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
  /** In full; not while it runs. */
  options?: Record<string, unknown>
  components?: Record<string, unknown>
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
export interface KnobChange {
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

type Variation = Varied | VariedTogether
export interface Asked {
  game: string
  players: string[]
  deals: number
  mirrored: boolean
  vary: Variation[]
}
/** What is asked for: options and numbers each by themselves, all that was edited in one table together. */
export function asked(game: string, changes: KnobChange[]): Variation[] {
  const found: Variation[] = []
  const tables = new Map<string, KnobChange[]>()
  for (const one of changes) {
    const [table = '', ...rest] = one.name.split('.')
    if (!rest.length) found.push({ set: one.name, to: [one.value] })
    else tables.set(table, [...(tables.get(table) ?? []), one])
  }
  for (const [table, edits] of tables) {
    const name = `${knobName(game, table)}: ${edits.map((one) => `${one.name.slice(table.length + 1)} ${valueText(one.value)}`).join(', ')}`
    found.push({
      together: Object.fromEntries(edits.map((one) => [one.name, one.value])),
      name: name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name,
    })
  }
  return found
}
const LONGEST = 60

/** An entry of the components by its path. */
export function entryAt(components: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], components)
}
/** The components with all that was edited in place. */
export function edited(components: Record<string, unknown>, changes: KnobChange[]): Record<string, unknown> {
  const found = structuredClone(components)
  for (const { name, value } of changes) {
    const end = name.lastIndexOf('.')
    if (end > 0) (entryAt(found, name.slice(0, end)) as Record<string, unknown>)[name.slice(end + 1)] = value
  }
  return found
}
export const begin = (asked: Asked) =>
  answer<LabBegun>('/api/lab', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) })
export const end = (run: string) => answer<unknown>(`/api/lab/${run}`, { method: 'DELETE' })

/** What cannot be played, said of the entry that is meant. */
export function wrong(game: string, found: unknown): string {
  if (!(found instanceof ApiError)) return say('lab.problem.unreachable')
  const key = `problem.${String(found.params.code)}`
  if (found.entry && knows(key)) return say('web.setup.wrong', { entry: knobName(game, found.entry), problem: say(key, found.params) })
  return knows(`lab.problem.${found.code}`) ? say(`lab.problem.${found.code}`) : found.message
}

/** The record of one game of a result, run here or come as a file. */
export async function recordOf(game: string, { players, options, components }: Setting, deal: number): Promise<string> {
  const body = JSON.stringify({ game, players, options, components, deal })
  const got = await fetch('/api/lab/game', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(() => null)
  if (!got?.ok) throw new ApiError(got?.status ?? 0, got?.status === 429 ? 'too_fast' : 'unreachable', got?.statusText ?? '')
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
  SHARES.includes(measure.split('.')[0]!) || ['open.until', 'open.drama', 'choice.narrow'].includes(measure)

export function told(measure: string, value: number, sign = false): string {
  const signDisplay = sign ? 'exceptZero' : 'auto'
  if (isShare(measure)) return new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 1, signDisplay }).format(value)
  return new Intl.NumberFormat(language(), { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1, signDisplay }).format(value)
}

interface Interval {
  low: number
  high: number
}
/** An interval. */
export const reach = (measure: string, { low, high }: Interval, sign = false): string =>
  say('lab.reach', { low: told(measure, low, sign), high: told(measure, high, sign) })
/** A figure with its interval. */
export const withReach = (measure: string, figure: Interval & { mean: number }, sign = false): string =>
  `${told(measure, figure.mean, sign)} (${reach(measure, figure, sign)})`

/** A measure in words: `end.points`, `use.card 5` have a family, and a name of their own. */
export function measureName(game: GameInfo | undefined, measure: string): string {
  if (knows(`lab.measure.${measure}`)) return say(`lab.measure.${measure}`)
  const [family = '', what = ''] = measure.split(/\.(.*)/)
  const named = family === 'seat' || family === 'end' ? endName(game, what) : thingName(game?.name ?? '', what)
  return say(`lab.measure.${family}`, { what: named })
}
/** A kind of end, or a seat, as the game calls it. */
export const endName = (game: GameInfo | undefined, what: string): string => word(what, prefixOf(game?.name ?? ''))
const prefixOf = (game: string): string => (faceOf(game)?.rulePrefix ?? '').toLowerCase()

/** What is used, in words: `dark magic`, `card 5`, `white druid`. */
export function thingName(game: string, thing: string): string {
  const prefix = prefixOf(game)
  if (knows(`lab.thing.${prefix}.${thing}`)) return say(`lab.thing.${prefix}.${thing}`)
  // One of a kind: `card 5`, or `white druid`.
  const [first = '', second = ''] = thing.split(' ')
  if (knows(`lab.thing.${prefix}.${first}`)) return say(`lab.thing.${prefix}.${first}`, { what: word(second, prefix) })
  if (knows(`lab.thing.${prefix}.${second}`)) return say(`lab.thing.${prefix}.${second}`, { what: word(first, prefix) })
  return thing.replaceAll('_', ' ')
}

/** A setting in whole words: `demons=6` is "Demon fields = 6". */
export function settingName(game: string, name: string): string {
  if (name === 'default') return say('lab.default')
  const at = name.lastIndexOf('=')
  if (at < 1 || name.includes(' ')) return name
  const knob = name.slice(0, at)
  return `${knobName(game, knob)} = ${valueName(game, knob, name.slice(at + 1))}`
}

/** Who plays, in words. */
export function playerName(bot: string): string {
  if (knows(`lab.bot.${bot}`)) return say(`lab.bot.${bot}`)
  const level = /^level-(\d+)$/.exec(bot)?.[1]
  return level ? say('lab.level', { level }) : bot
}

/** The label of an option or an entry, as the set-up page has it. */
export function knobName(game: string, name: string): string {
  const option = `web.option.${game}.${name}`
  if (knows(option)) return say(option)
  const [head = '', ...rest] = name.split('.')
  const named = (kind: string, part: string) => {
    const key = `lab.${kind}.${prefixOf(game)}.${part}`
    return knows(key) ? say(key) : part
  }
  const entry = named('entry', head)
  const steps = rest.map((step) => named('step', step))
  return rest.length ? `${entry}: ${steps.join(' ')}` : entry
}

/** A value as the set-up page has it. */
export function valueName(game: string, knob: string, value: unknown): string {
  if (value === true || value === 'true') return say('lab.yes')
  if (value === false || value === 'false') return say('lab.no')
  const known = knob.endsWith('.kind') ? `web.${prefixOf(game)}.kind.${value}` : `web.option.${game}.${knob}.${valueText(value)}`
  return knows(known) ? say(known) : valueText(value)
}

export const valueText = (value: unknown): string => (Array.isArray(value) ? value.join('+') : String(value))

/** Standard errors beyond which a difference of two results is certain, with all their measures looked at: one error in a hundred. */
const CERTAIN = 4

/** Two results side by side, a setting of each; no deals are paired. */
export function compared(one: LabResult, other: LabResult, at = 0, otherAt = 0) {
  const [mine, theirs] = [one.figures[at]!, other.figures[otherAt]!]
  return one.measures
    .filter((measure) => theirs[measure] && (mine[measure]!.mean || theirs[measure].mean))
    .map((measure) => {
      const [a, b] = [mine[measure]!, theirs[measure]!]
      const error = Math.sqrt(a.spread ** 2 / one.deals + b.spread ** 2 / other.deals)
      const gap = b.mean - a.mean
      const certain = Math.abs(gap) > CERTAIN * error && gap !== 0
      return { measure, one: a.mean, other: b.mean, mean: gap, low: gap - 1.96 * error, high: gap + 1.96 * error, certain }
    })
}
