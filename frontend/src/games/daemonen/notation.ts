/** Moves as text, read as `rules/daemonen/notation.py` writes them. */
import type { MoveGroup, MoveText } from '../../lib/game'

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

/** The legal moves in words: for a land field one row a cell, for the rest one row a kind. */
export function moveGroups(legal: string[]): MoveGroup[] {
  const groups = new Map<string, MoveGroup>()
  for (const text of legal) {
    const { verb, place, rotation } = readMove(text)
    const corner = place?.includes('/') ?? false
    const name = verb === 'from' && corner ? 'from_corner' : verb
    const params = { cell: place, corner: place, rotation }
    const small = place === null
    const key =
      verb === 'lay'
        ? `web.dd.group.lay`
        : verb.startsWith('choose_')
          ? 'web.dd.group.choose'
          : small
            ? 'web.dd.group.else'
            : `web.dd.group.${name}`
    const said: MoveText = { move: text, saying: { key: `web.dd.move.${name}`, params } }
    if (verb === 'lay') said.short = { key: 'web.dd.short.rotation', params: { rotation } }
    else if (!small) said.short = { key: 'web.dd.short.place', params: { place } }
    const id = verb === 'lay' ? `${key} ${place}` : key
    const group = groups.get(id) ?? { saying: { key, params: verb === 'lay' ? { cell: place } : {} }, moves: [] }
    group.moves.push(said)
    groups.set(id, group)
  }
  return [...groups.values()]
}
