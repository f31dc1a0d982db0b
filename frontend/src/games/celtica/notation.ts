/** Moves as text, read and written as `rules/celtica/notation.py` does, and in words. */
import type { MoveGroup, MoveText, Saying } from '../../lib/game'
import { say } from '../../lib/words.svelte'
import { effectOf, type CeView, type Colour, type Kind, type Stop } from './view'

export type Move =
  | { kind: 'play'; colour: Colour; druid: number; experience: number }
  | { kind: 'take' | 'give'; part: Kind }
  | { kind: 'swap'; own: Kind; part: Kind }
  | { kind: 'draw' | 'no' | 'stop' }

export function readMove(text: string): Move {
  const [first = '', second = '', third = ''] = text.split(' ')
  if (first === 'draw' || first === 'no' || first === 'stop') return { kind: first }
  if (first === 'take' || first === 'give') return { kind: first, part: second as Kind }
  if (first === 'swap') return { kind: 'swap', own: second as Kind, part: third as Kind }
  const [druid = '0', experience = '0'] = second.split('+')
  return { kind: 'play', colour: first as Colour, druid: Number(druid), experience: Number(experience) }
}

export const playText = (colour: Colour, druid: number, experience: number): string =>
  `${colour} ${druid}${experience ? `+${experience}` : ''}`

/** Where a play of one's own leads: the place where the druid stops; null if he is at the goal already. */
export const stopOf = (view: CeView, colour: Colour, cards: number): Stop | null =>
  view.stops[colour]?.find((stop) => stop.cards === cards) ?? null

/** The ruin to which a play leads; null for any other move, and for who has nothing to lose. */
export function ruinOf(text: string, view: CeView): Stop | null {
  const move = readMove(text)
  const stop = move.kind === 'play' ? stopOf(view, move.colour, move.druid + move.experience) : null
  return stop?.loses.length ? stop : null
}

/** A place with its effect, in two words: `ruin −2`. */
export const stopWords = (stop: Stop | null): string =>
  stop ? `${say(`web.ce.kind.${stop.kind}`)} ${effectOf(stop)}`.trim() : say('web.ce.at_goal')

export function moveText(text: string, view: CeView): { group: Saying; move: MoveText } {
  const move = readMove(text)
  switch (move.kind) {
    case 'play': {
      const cards = move.experience ? `${move.druid}+${move.experience}` : String(move.druid)
      const stop = stopOf(view, move.colour, move.druid + move.experience)
      const params = {
        colour: move.colour,
        cards,
        count: move.druid + move.experience,
        experience: move.experience,
        stop: stopWords(stop),
        place: stop?.place ?? view.druids[move.colour],
      }
      return {
        group: { key: 'web.ce.group.play', params: { colour: move.colour } },
        move: {
          move: text,
          saying: { key: stop ? (move.experience ? 'web.ce.move.play_wise' : 'web.ce.move.play') : 'web.ce.move.discard', params },
          short: { key: 'web.ce.move.short', params },
        },
      }
    }
    case 'swap':
      return {
        group: { key: 'web.ce.group.swap', params: { own: move.own } },
        move: {
          move: text,
          saying: { key: 'web.ce.move.swap', params: { own: move.own, part: move.part } },
          short: { key: 'web.ce.move.part', params: { part: move.part } },
        },
      }
    case 'take':
    case 'give': {
      const bought = view.phase === 'experience' ? 'buy' : move.kind
      return {
        group: { key: `web.ce.group.${bought}` },
        move: {
          move: text,
          saying: { key: `web.ce.move.${bought}`, params: { part: move.part } },
          short: { key: 'web.ce.move.part', params: { part: move.part } },
        },
      }
    }
    default:
      return {
        group: { key: `web.ce.group.${move.kind === 'stop' ? 'stop' : 'cult'}` },
        move: { move: text, saying: { key: `web.ce.move.${move.kind}` } },
      }
  }
}

export function moveGroups(legal: string[], view: CeView): MoveGroup[] {
  const groups = new Map<string, MoveGroup>()
  for (const text of legal) {
    const { group, move } = moveText(text, view)
    const name = group.key + JSON.stringify(group.params ?? {})
    const into = groups.get(name) ?? { saying: group, moves: [] }
    into.moves.push(move)
    groups.set(name, into)
  }
  return [...groups.values()]
}
