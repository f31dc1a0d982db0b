/** What the other reading of an option does, as the laboratory measured it: a short sentence beside the option. */
import type { OptionText } from './protocol'
import { language, say } from './words.svelte'

interface Share {
  mean: number
  low: number
  high: number
  certain: boolean
}
interface Effect {
  deals: number
  length: Share
  starter: Share
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
  const told = []
  if (found.length.certain)
    told.push(say(found.length.mean < 0 ? 'web.effect.shorter' : 'web.effect.longer', { share: percent(found.length.mean) }))
  if (found.starter.certain)
    told.push(say(found.starter.mean < 0 ? 'web.effect.less' : 'web.effect.more', { share: percent(found.starter.mean) }))
  if (!told.length) told.push(say('web.effect.none'))
  return say('web.effect', { told: told.join(', '), deals: found.deals })
}
