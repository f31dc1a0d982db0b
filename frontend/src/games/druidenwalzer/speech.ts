/** Places and questions of this game in words: labels for those who listen, the sentence of the status line. */
import type { Foretelling, Saying } from '../../lib/game'
import type { Foreseen } from '../../lib/protocol'
import { language, say } from '../../lib/words.svelte'
import { SEATS, readCard, seatOfBoard, type DwView, type Tree } from './view'

export function cardWords(text: unknown): string {
  const card = readCard(text)
  if (!card) return say('web.dw.hidden_card')
  return say(card.arrow === '<' ? 'web.dw.card_cw' : 'web.dw.card_ccw', { value: card.value, sign: card.sign })
}

export const boardWords = (name: string): string =>
  name.endsWith('C')
    ? say('web.dw.cult_of', { seat: seatOfBoard(name) })
    : say('web.dw.tree_of', { seat: seatOfBoard(name), tree: name.slice(1) })

export function describeTree(view: DwView, tree: Tree): string {
  const name = say('web.dw.tree_label', { seat: tree.seat, kind: say(`web.dw.kind.${tree.number}`), tree: tree.number })
  if (tree.lost) return `${name}: ${say('web.dw.lost')}`
  const parts = [
    tree.top
      ? say('web.dw.shows', { card: cardWords(tree.top), cards: tree.cards })
      : say(tree.must_fill ? 'web.dw.fill_now' : 'web.dw.is_empty'),
  ]
  parts.push(say('web.dw.tokens', { tokens: tree.tokens, of: view.to_conquer }))
  if (tree.druid) parts.push(say('web.dw.has_druid', { colour: tree.druid }))
  if (view.ring === tree.name) parts.push(say('web.dw.has_ring'))
  return `${name}: ${parts.join('; ')}`
}

export function describeCult(view: DwView, name: string): string {
  const seat = seatOfBoard(name)
  const label = say('web.dw.cult_label', { seat, cards: view.cult[seat].length, pile: view.pile[seat] })
  const cards = cultCards(view, name).map(({ card, count }) => (count > 1 ? `${count} × ${cardWords(card)}` : cardWords(card)))
  return cards.length ? `${label}; ${cards.join('; ')}` : label
}

/** The cards on a cult board by sign, value and arrow, look-alikes counted. */
export function cultCards(view: DwView, name: string): { card: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const card of [...view.cult[seatOfBoard(name)]].sort()) counts.set(card, (counts.get(card) ?? 0) + 1)
  return [...counts].map(([card, count]) => ({ card, count }))
}

/** What is asked of a seat now, naming no other moves than these. */
export function asks(view: DwView, seat: number | null, turn: number | null, moves: string[]): Saying {
  const mine = seat !== null && seat === turn
  const who = SEATS[turn ?? 0]!
  if (turn === null || view.phase === 'over') return { key: 'web.status.over' }
  if (!mine) return { key: seat === null ? 'web.dw.ask.turn_of' : 'web.dw.ask.waiting', params: { seat: who } }
  if (view.phase === 'arrow') return { key: 'web.dw.ask.arrow', params: { seat: who } }
  if (view.phase === 'druids') return { key: 'web.dw.ask.druids' }
  if (view.phase === 'contest') return { key: 'web.dw.ask.contest' }
  const due = view.trees.filter((tree) => tree.must_fill && tree.seat === who && !tree.top)
  if (due.length) return { key: 'web.dw.ask.fill', params: { tree: due.map((tree) => tree.number), count: due.length } }
  const may = (verb: string) => moves.some((move) => move.startsWith(`${verb} `))
  if (may('J')) return { key: may('R') ? 'web.dw.ask.turn' : 'web.dw.ask.turn_no_retreat' }
  return { key: may('R') ? 'web.dw.ask.turn_no_jump' : 'web.dw.ask.turn_waltz' }
}

/** Setting up brings no tokens. */
export const foretells = (view: DwView): boolean => view.phase === 'turn' || view.phase === 'contest'

const LIKELY = 0.02

/** Tokens that a move is likely to bring: on the other's trees, and on one's own. */
function tokens(foreseen: Foreseen[], seat: number, about = (part: string) => part): { good: string; bad: string } {
  let [good, bad] = [0, 0]
  for (const { event, share } of foreseen) {
    if (event.kind !== 'token' || share < LIKELY) continue
    if (seatOfBoard(String(event.tree)) === SEATS[seat]) bad += share
    else good += share
  }
  const short = (count: number) => {
    const said = new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(count)
    return /^\d+$/.test(said) ? said : about(said)
  }
  return { good: short(good), bad: short(bad) }
}

/** Where no token is won or lost there is nothing to say; in the first stages of the lesson nobody has heard of tokens. */
const isSilent = (foreseen: Foreseen[], view: DwView): boolean =>
  !foretells(view) || !foreseen.some(({ event, share }) => event.kind === 'token' && share >= LIKELY)

export function outlook(foreseen: Foreseen[], seat: number, view: DwView): string {
  const { good, bad } = tokens(foreseen, seat)
  return isSilent(foreseen, view) ? '' : `+${good} −${bad}`
}

export const outlookInWords = (foreseen: Foreseen[], seat: number, view: DwView): string =>
  isSilent(foreseen, view)
    ? ''
    : say(
        'web.dw.outlook',
        tokens(foreseen, seat, (count) => say('web.dw.outlook.about', { count })),
      )

/** Who dances, how the contests end, what is uncertain. */
export const foretold: Foretelling<DwView> = {
  kinds: ['danced', 'met', 'token', 'tree_lost', 'ended', 'stayed'],
  loud: ['token', 'tree_lost', 'ended'],
  notes(foreseen) {
    const kinds = foreseen.map(({ event }) => event.kind)
    return kinds.includes('played') && !kinds.includes('danced') ? [{ text: say('web.dw.nobody_dances'), tone: 'soft' }] : []
  },
  unsure: (one) => (one.event.kind === 'met' && one.instead.length ? { key: 'web.dw.uncertain' } : null),
}
