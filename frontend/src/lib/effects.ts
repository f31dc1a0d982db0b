/** What the other reading of an option does, as the laboratory measured it: a short sentence beside the option. */
import { faceOf } from './game'
import type { OptionText } from './protocol'
import { language, say, word } from './words.svelte'

interface Measured {
  mean: number
  certain: boolean
}
interface Beside extends Measured {
  now: number
  base: number
}
interface Effect {
  deals: number
  length: Measured
  starter: Beside
  ends: (Beside & { end: string })[]
}
/** By game, option, value and who played. */
export type Effects = Record<string, Record<string, Record<string, Record<string, Effect>>>>

let asked: Promise<Effects> | null = null
/** What was measured; nothing if it cannot be had. */
export function effects(): Promise<Effects> {
  asked ??= fetch('/api/lab/rulings')
    .then((answer) => (answer.ok ? (answer.json() as Promise<Effects>) : {}))
    .catch(() => ({}))
  return asked
}

/** The sentence for a value that is chosen, or else for the only other one; empty where nothing was measured. */
export function effectOf(known: Effects, game: string, option: OptionText, value: unknown): string {
  const values = known[game]?.[option.name]
  if (!values || option.seat) return ''
  const chosen = String(value) === String(option.default) ? Object.keys(values) : [String(value)]
  const found = chosen.length === 1 ? values[chosen[0]!]?.greedy : undefined
  if (!found) return ''
  const percent = (share: number) => new Intl.NumberFormat(language(), { style: 'percent' }).format(Math.abs(share))
  const instead = ({ now, base }: Beside) => ({ now: percent(now), base: percent(base) })
  const { length, starter } = found
  const ends = found.ends.filter((one) => one.certain)
  const told = []
  if (length.certain) told.push(say(length.mean < 0 ? 'web.effect.shorter' : 'web.effect.longer', { share: percent(length.mean) }))
  if (starter.certain) told.push(say('web.effect.begins', instead(starter)))
  const prefix = (faceOf(game)?.rulePrefix ?? '').toLowerCase()
  for (const one of ends) told.push(say('web.effect.end', { what: word(one.end, prefix), ...instead(one) }))
  const open = [!length.certain && 'length', !starter.certain && 'balance', !ends.length && 'ends'].filter(Boolean)
  if (open.length) {
    const what = new Intl.ListFormat(language(), { type: 'disjunction' }).format(open.map((one) => say(`web.effect.${one}`)))
    told.push(say('web.effect.none', { what }))
  }
  return say('web.effect', { told: told.join('; '), deals: found.deals })
}
