/** Moves as text, read as `rules/daemonen/notation.py` writes them. */
import type { MoveGroup, MoveText, Saying } from '../../lib/game'
import { turned } from './layout'
import type { DdView } from './view'

export interface Move {
  verb: string
  /** The cell `q,r` or corner `q,r/k` it is about; null for what is no place (`draw`, `from pool`). */
  place: string | null
  rotation: number | null
}

const WORDS = new Set(['reserve', 'pool'])

export function readMove(text: string): Move {
  const [verb = '', place = '', turn = ''] = text.split(' ')
  const isPlace = verb !== 'choose' && place !== '' && !WORDS.has(place)
  return {
    verb: place === '' || isPlace ? verb : `${verb}_${place}`,
    place: isPlace ? place : null,
    rotation: turn ? Number(turn.slice(1)) : null,
  }
}

/** The legal moves in words, grouped by what they do; a land field has one group a place, with a picture of each way it may lie there. */
export function moveGroups(legal: string[], view: DdView): MoveGroup[] {
  const groups = new Map<string, MoveGroup>()
  for (const text of legal) {
    const { verb, place, rotation } = readMove(text)
    const name = verb === 'from' && place?.includes('/') ? 'from_corner' : verb
    const card = rotation !== null && view.in_hand ? turned(view.in_hand, rotation) : null
    const params = { cell: place, corner: place, rotation, card }
    const key = verb.startsWith('choose_') ? 'web.dd.group.choose' : place === null ? 'web.dd.group.else' : `web.dd.group.${name}`
    const said: MoveText = { move: text, saying: { key: `web.dd.move.${name}`, params } }
    if (verb === 'lay') said.short = { key: 'web.dd.short.card', params: { card } }
    else if (place !== null) said.short = { key: 'web.dd.short.place', params: { place } }
    const id = verb === 'lay' ? `${key} ${place}` : key
    const group = groups.get(id) ?? { saying: { key, params: verb === 'lay' ? { cell: place } : {} }, moves: [] }
    group.moves.push(said)
    groups.set(id, group)
  }
  return [...groups.values()]
}

/** A move as it is named for those who listen: with coordinates. */
export function heard(text: string): Saying {
  const { verb, place, rotation } = readMove(text)
  const name = verb === 'from' && place?.includes('/') ? 'from_corner' : verb
  const key = verb === 'lay' ? 'web.dd.heard.lay' : `web.dd.move.${name}`
  return { key, params: { cell: place, corner: place, rotation } }
}

/** The words that need the other half of their step, or the action that they belong to, to say what they do. */
const HALVES = new Set(['from', 'from_corner', 'from_reserve', 'from_pool', 'to'])

/** A move for who reads of it later: a half with its other half, an end with what it ends. */
export function inFull(text: string, view: DdView): Saying | null {
  const { verb, place } = readMove(text)
  const name = verb === 'from' && place?.includes('/') ? 'from_corner' : verb
  if (name === 'stop') return { key: 'web.dd.full.stop' }
  if (name === 'end') return { key: `web.dd.full.end.${view.phase}` }
  if (!HALVES.has(name)) return null
  const { half } = view
  const begins = name === 'from' && half === null
  if (!begins && half === null) return null
  return { key: begins ? 'web.dd.full.takes' : `web.dd.full.${name}`, params: { cell: place, corner: place, place: half } }
}
