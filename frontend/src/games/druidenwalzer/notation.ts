/** Moves as text, read and written as `rules/druidenwalzer/notation.py` does. */
import type { MoveGroup, MoveText } from '../../lib/game'
import { SEATS, type Colour, type DwView, type Seat } from './view'

export type Move =
  | { kind: 'arrow'; card: string }
  | { kind: 'druid'; colour: Colour; tree: number }
  | { kind: 'waltz'; card: string; tree: number }
  | { kind: 'jump'; colour: Colour }
  | { kind: 'retreat'; card: string }
  | { kind: 'withdraw'; tree: number }
  | { kind: 'contest'; colour: Colour }
  | { kind: 'pass' }

/** A card as its player writes it, `5<`, in full: `s5<`. */
const full = (short: string, seat: Seat): string => (/^[sm]/.test(short) ? short : seat[0] + short)

/** A card as its player writes it: without his own sign. */
export const short = (card: string, seat: Seat): string => (card[0] === seat[0] ? card.slice(1) : card)

export function readMove(text: string, seat: Seat): Move {
  const [first = '', rest = ''] = text.split(' ')
  const [before = '', tree = ''] = (rest || first).split('@')
  if (first === 'pass') return { kind: 'pass' }
  if (first === 'W') return { kind: 'waltz', card: full(before, seat), tree: Number(tree) }
  if (first === 'J') return { kind: 'jump', colour: before as Colour }
  if (first === 'C') return { kind: 'contest', colour: before as Colour }
  if (first === 'R') return before ? { kind: 'retreat', card: full(before, seat) } : { kind: 'withdraw', tree: Number(tree) }
  if (tree) return { kind: 'druid', colour: before as Colour, tree: Number(tree) }
  return { kind: 'arrow', card: full(first, seat) }
}

export const waltz = (card: string, tree: number, seat: Seat): string => `W ${short(card, seat)}@${tree}`
export const retreat = (card: string, seat: Seat): string => `R ${short(card, seat)}`
export const withdraw = (tree: number): string => `R @${tree}`
export const jump = (colour: Colour): string => `J ${colour}`

/** The legal moves in words: a grid for the waltzes (one row a card), lists for the rest. */
export function moveGroups(legal: string[], view: DwView, seatIndex: number): MoveGroup[] {
  const seat = SEATS[seatIndex]!
  const groups = new Map<string, MoveGroup>()
  const into = (key: string, params: Record<string, unknown>, move: MoveText) => {
    const name = key + JSON.stringify(params)
    const group = groups.get(name) ?? { saying: { key, params }, moves: [] }
    group.moves.push(move)
    groups.set(name, group)
  }
  for (const text of legal) {
    const move = readMove(text, seat)
    const say = (key: string, params: Record<string, unknown> = {}): MoveText => ({
      move: text,
      saying: { key: `web.dw.move.${key}`, params },
    })
    switch (move.kind) {
      case 'waltz':
        into(
          'web.dw.group.waltz',
          { card: move.card },
          { ...say('waltz', move as never), short: { key: 'web.dw.move.at', params: { tree: move.tree } } },
        )
        break
      case 'jump': {
        const tree = view.jump_to[seat]
        into(
          'web.dw.group.jump',
          { tree },
          {
            ...say('jump', { colour: move.colour, tree }),
            short: { key: 'web.dw.move.colour', params: { colour: move.colour } },
          },
        )
        break
      }
      case 'retreat':
        into(
          'web.dw.group.retreat',
          {},
          { ...say('retreat', { card: move.card }), short: { key: 'web.dw.move.card', params: { card: move.card } } },
        )
        break
      case 'withdraw':
        into(
          'web.dw.group.retreat',
          {},
          { ...say('withdraw', { tree: move.tree }), short: { key: 'web.dw.move.from', params: { tree: move.tree } } },
        )
        break
      case 'druid':
        into(
          'web.dw.group.druid',
          { colour: move.colour },
          { ...say('druid', move as never), short: { key: 'web.dw.move.at', params: { tree: move.tree } } },
        )
        break
      case 'contest':
        into(
          'web.dw.group.contest',
          {},
          { ...say('contest', { colour: move.colour }), short: { key: 'web.dw.move.colour', params: { colour: move.colour } } },
        )
        break
      case 'arrow':
        into(
          'web.dw.group.arrow',
          {},
          { ...say('arrow', { card: move.card }), short: { key: 'web.dw.move.card', params: { card: move.card } } },
        )
        break
      case 'pass':
        into('web.dw.group.pass', {}, say('pass'))
    }
  }
  return [...groups.values()]
}
