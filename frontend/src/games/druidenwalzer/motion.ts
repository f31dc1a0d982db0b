/** The way a piece takes while an event is shown, as a function from 0..1 to a point on the board. */
import type { GameEvent } from '../../lib/protocol'
import { onOval, stretch, type Layout, type Point } from './layout'
import { cultOf, treeName, type Colour, type Seat } from './view'

export interface Flight {
  card?: string
  druid?: { colour: Colour; seat: Seat }
  /** The card turns over on its way. */
  turns?: boolean
  at(t: number): Point
}

const ease = (t: number) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2)

/** A straight way with a slight bow towards the middle. */
function glide(from: Point, to: Point, middle: Point): (t: number) => Point {
  const bow = {
    x: (from.x + to.x) / 2 + (middle.x - (from.x + to.x) / 2) * 0.18,
    y: (from.y + to.y) / 2 + (middle.y - (from.y + to.y) / 2) * 0.18,
  }
  return (t) => {
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t]
    return { x: a * from.x + b * bow.x + c * to.x, y: a * from.y + b * bow.y + c * to.y }
  }
}

/** `hand`: where a place of a hand is, in the board's own measure. */
export function flightOf(event: GameEvent, layout: Layout, hand: (seat: Seat, place: number) => Point): Flight | null {
  const card = (event.card as string | null) ?? '?'
  const seat = event.seat as Seat
  const spot = (board: unknown): Point => layout.places.get(String(board)) ?? layout.middle
  const go = (from: Point, to: Point): ((t: number) => Point) => {
    const way = glide(from, to, layout.middle)
    return (t) => way(ease(t))
  }
  const pile = (of: Seat): Point => layout.places.get(cultOf(of))?.crown ?? layout.middle
  switch (event.kind) {
    case 'played':
      return { card, at: go(hand(seat, Number(event.place) - 1), spot(event.tree)) }
    case 'danced': {
      const { start, turns } = stretch(layout, String(event.from), String(event.to), event.way as '<' | '>')
      return { card, at: (t) => onOval(layout, start + turns * ease(t)) }
    }
    case 'turned':
      return { card, turns: true, at: () => spot(event.tree) }
    case 'card_won':
    case 'scattered':
      return { card, at: go(spot(event.tree), spot(cultOf(event.cult as Seat))) }
    case 'retreated':
      return { card, at: go(event.place ? hand(seat, Number(event.place) - 1) : spot(event.tree), spot(cultOf(seat))) }
    case 'arrow_laid':
      return { card, at: go(pile(seat), spot(cultOf(seat))) }
    case 'stacked':
      return { card: '?', at: go(pile(String(event.tree).startsWith('S') ? 'sun' : 'moon'), spot(event.tree)) }
    case 'drawn':
      return { card: '?', at: go(pile(seat), hand(seat, Number(event.place) - 1)) }
    case 'druid_moved': {
      const [from, to] = [layout.places.get(String(event.from)), layout.places.get(String(event.to))]
      return from && to ? { druid: { colour: event.colour as Colour, seat }, at: go(from.druid, to.druid) } : null
    }
    case 'druid_set': {
      const to = layout.places.get(treeName(seat, Number(event.tree)))
      return to
        ? {
            druid: { colour: event.colour as Colour, seat },
            at: go({ x: layout.middle.x, y: layout.middle.y + to.out * layout.height * 0.5 }, to.druid),
          }
        : null
    }
  }
  return null
}
