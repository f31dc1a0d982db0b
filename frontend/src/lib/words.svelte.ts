/**
 * The words of the house: the same catalogues that server and terminal use, loaded for one language at a time. Our own because a library
 * would bring a format of its own for them, and games draw what stands in a sentence; plurals are the browser's (`Intl`).
 */
import catalogues, { lab, lessons, puzzles, reviews, teaching, type Wording } from 'virtual:words'
import type { GameEvent, Reason } from './protocol'

export type Params = Record<string, unknown>
/** A sentence in pieces: plain text, or a named value that a game may draw in its own way. */
export type Piece = string | { name: string; value: unknown }

export const languages = Object.keys(catalogues)
const spoken = $state({ language: 'en' })
let words = $state.raw<Record<string, Wording>>({})

export const language = () => spoken.language

/** The language that the reader has chosen, or the first of the browser's that we speak. */
export function preferred(chosen: string | null): string {
  const wishes = [chosen ?? '', ...navigator.languages.map((name) => name.slice(0, 2))]
  return wishes.find((name) => languages.includes(name)) ?? 'en'
}

/** How often words have been asked for, and which answer is spoken: an earlier one that comes late knows less. */
let [asked, heard] = [0, 0]

export async function speak(name: string): Promise<void> {
  const load = catalogues[name]
  if (!load) return
  const number = ++asked
  const all = await Promise.all([load, ...[...wanted].map((more) => more[name]!)].map((one) => one()))
  if (number < heard) return
  heard = number
  words = Object.assign({}, ...all.map((one) => one.default))
  spoken.language = name
  document.documentElement.lang = name
}

/** What is spoken besides the words of every page. */
const wanted = new Set<typeof catalogues>()
async function also(more: typeof catalogues): Promise<void> {
  if (wanted.has(more)) return
  wanted.add(more)
  await speak(spoken.language)
}
/** From now on the words of lessons are there too. */
export const learn = (): Promise<void> => also(lessons)
/** From now on the words of explanations and coach are there too. */
export const teach = (): Promise<void> => also(teaching)
/** From now on the words of the laboratory are there too. */
export const experiment = (): Promise<void> => also(lab)
/** From now on the words of reviews are there too. */
export const appraise = (): Promise<void> => also(reviews)

/** From now on the words of puzzles are there too. */
export const puzzle = (): Promise<void> => also(puzzles)

/** The keys of the catalogue that begin so, in its order. */
export const keysFrom = (start: string): string[] => Object.keys(words).filter((key) => key.startsWith(start))

export const knows = (key: string): boolean => key in words

function sentence(key: string, params: Params): string {
  const entry = words[key]
  if (entry === undefined) return key
  if (typeof entry === 'string') return entry
  const count = Number(params[entry.plural ?? 'count'])
  return entry[new Intl.PluralRules(spoken.language).select(count)] ?? entry.other ?? key
}

/** A value in a game's words: `moon` becomes Moon, a list becomes an enumeration. */
export function word(value: unknown, prefix: string): string {
  if (value === null || value === undefined) return '?'
  if (Array.isArray(value)) return value.map((item) => word(item, prefix)).join(', ')
  const entry = words[`word.${prefix}.${value}`]
  return typeof entry === 'string' ? entry : String(value)
}

export function pieces(key: string, params: Params = {}): Piece[] {
  return sentence(key, params)
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\w+\}$/.test(part) ? { name: part.slice(1, -1), value: params[part.slice(1, -1)] } : part))
}

export function say(key: string, params: Params = {}): string {
  const prefix = key.split('.')[1] ?? ''
  return pieces(key, params)
    .map((piece) => (typeof piece === 'string' ? piece : word(piece.value, prefix)))
    .join('')
}

/** The key of an event's line in the log; null for what the log leaves to the eye. */
export function eventKey(prefix: string, event: GameEvent): string | null {
  const kind = `event.${prefix}.${event.kind}`
  const own = Object.values(event).find((value) => typeof value === 'string' && knows(`${kind}.${value}`))
  let key = own ? `${kind}.${own}` : kind
  if (event.card === null && knows(`${key}.hidden`)) key += '.hidden'
  const missing = Object.keys(event).find((name) => event[name] === null && knows(`${key}.no_${name}`))
  if (missing) key += `.no_${missing}`
  const none = Object.keys(event).find((name) => event[name] === 0 && knows(`${key}.without_${name}`))
  if (none) key += `.without_${none}`
  return knows(key) ? key : null
}

/** A reason of the page's own is named by the whole key. */
export const reasonKey = (reason: Reason): string =>
  knows(reason.code) ? reason.code : knows(`reason.${reason.code}`) ? `reason.${reason.code}` : 'reason.unknown'
