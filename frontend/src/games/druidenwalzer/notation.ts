/** Moves as text, read and written as `rules/druidenwalzer/notation.py` does. */
import type { MoveGroup } from '../../lib/game'
import type { Params } from '../../lib/words.svelte'
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
  for (const text of legal) {
    const move = readMove(text, seat)
    /** `about`: what all moves of its group share; `short`: how it is called among them. */
    const put = (key: string, params: Params = {}, about: Params = {}, short?: [string, Params], group = key) => {
      const name = group + JSON.stringify(about)
      const found = groups.get(name) ?? { saying: { key: `web.dw.group.${group}`, params: about }, moves: [] }
      const saying = { key: `web.dw.move.${key}`, params }
      found.moves.push({ move: text, saying, ...(short && { short: { key: `web.dw.move.${short[0]}`, params: short[1] } }) })
      groups.set(name, found)
    }
    switch (move.kind) {
      case 'waltz':
        put('waltz', { ...move }, { card: move.card }, ['at', { tree: move.tree }])
        break
      case 'jump': {
        const tree = view.jump_to[seat]
        put('jump', { colour: move.colour, tree }, { tree }, ['colour', { colour: move.colour }])
        break
      }
      case 'retreat':
        put('retreat', { card: move.card }, {}, ['card', { card: move.card }])
        break
      case 'withdraw':
        put('withdraw', { tree: move.tree }, {}, ['from', { tree: move.tree }], 'retreat')
        break
      case 'druid':
        put('druid', { ...move }, { colour: move.colour }, ['at', { tree: move.tree }])
        break
      case 'contest':
        put('contest', { colour: move.colour }, {}, ['colour', { colour: move.colour }])
        break
      case 'arrow':
        put('arrow', { card: move.card }, {}, ['card', { card: move.card }])
        break
      case 'pass':
        put('pass')
    }
  }
  return [...groups.values()]
}
