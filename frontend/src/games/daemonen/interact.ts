/** What taps, pointing and keys mean on this map. Every legal move belongs to a cell, a corner or a button. */
import { arm, choose, foresee, hold, isTaught, mayAct, play, putDown, refuse, skip, type TableState } from '../../lib/table.svelte'
import { readMove } from './notation'
import { SEATS, type DdView, type Seat } from './view'

/** The place whose moves are being gone through: pointing elsewhere does not change it. */
export type Picked = { place: string } | null

export const pickedOf = (table: TableState): Picked => table.picked as Picked
export const ownSeat = (table: TableState<DdView>): Seat | null => (table.seat === null ? null : SEATS[table.seat]!)

/** What anchors before it kills: the harmless meaning of a place comes first. */
const ORDER = ['lay', 'portal', 'anchor', 'settle', 'to', 'from', 'stone', 'temple', 'convert', 'demon', 'remove']

/** The legal moves by place. */
export function movesAt(table: TableState): Map<string, string[]> {
  const found = new Map<string, string[]>()
  if (!mayAct(table)) return found
  for (const text of table.legal) {
    const { place } = readMove(text)
    if (place) found.set(place, [...(found.get(place) ?? []), text])
  }
  for (const moves of found.values()) {
    if (moves.length > 1) moves.sort((one, other) => ORDER.indexOf(readMove(one).verb) - ORDER.indexOf(readMove(other).verb))
  }
  return found
}

/** The move of a place that is shown first: the one that is armed, or that keeps the rotation last looked at. */
let lastRotation = 0
function firstOf(table: TableState, moves: string[]): string {
  if (table.armed && moves.includes(table.armed)) return table.armed
  return moves.find((move) => readMove(move).rotation === lastRotation) ?? moves[0]!
}

function ready(table: TableState, place: string): boolean {
  if (table.scene) skip(table)
  else if (mayAct(table)) return true
  else if (table.seat !== null && !table.result && !table.sending && !isTaught(table)) refuse(table, 'not_your_turn', place)
  return false
}

/** A tap or click: the first shows, the second plays. A place with several moves is held while one goes through them. */
export function tap(table: TableState<DdView>, place: string, moves: string[] | undefined): void {
  if (!ready(table, place)) return
  if (!moves) {
    putDown(table)
    return
  }
  if (moves.length === 1) {
    const move = moves[0]!
    table.picked = null
    // Which population goes can be taken back and means only one thing: it is taken up at once, and its ways light up.
    return table.shown.phase === 'move' && readMove(move).verb === 'from' ? play(table, move) : choose(table, move, place)
  }
  const held = pickedOf(table)?.place === place
  const move = firstOf(table, moves)
  if (held && table.armed === move) return play(table, move)
  table.picked = { place } satisfies Picked
  hold(table, move, place)
}

/** Enter on a place plays what is shown there. */
export function press(table: TableState<DdView>, place: string, moves: string[] | undefined): void {
  if (moves && table.armed && moves.includes(table.armed) && mayAct(table)) play(table, table.armed)
  else tap(table, place, moves)
}

/** Pointing by mouse or focus shows a place's move, unless another place is held. */
export function pointAt(table: TableState, place: string, moves: string[] | undefined): void {
  const picked = pickedOf(table)
  if (!moves || !mayAct(table) || (picked && picked.place !== place)) return
  arm(table, firstOf(table, moves), place)
}

/** The next fitting rotation, or the next meaning of a place. */
export function cycle(table: TableState, step: 1 | -1): void {
  if (!table.armed || !mayAct(table)) return
  const { place } = readMove(table.armed)
  const moves = place ? movesAt(table).get(place) : undefined
  if (!place || !moves || moves.length < 2) return
  const next = moves[(moves.indexOf(table.armed) + step + moves.length) % moves.length]!
  lastRotation = readMove(next).rotation ?? lastRotation
  table.picked = { place } satisfies Picked
  hold(table, next, place)
}

/** Tables at which the next field is to be drawn as soon as this one lies. */
const drawing = new WeakSet<TableState>()

/** Lay the field and draw the next: two taps a field instead of four, and both are meant. */
export function layAndDraw(table: TableState<DdView>, move: string): void {
  drawing.add(table)
  play(table, move)
}

export function drawNext(table: TableState<DdView>): void {
  if (!mayAct(table) || !drawing.delete(table)) return
  if (table.legal.includes('draw')) play(table, 'draw')
}

/** A banned action, asked for: the server says why not. */
export const askWhy = (table: TableState, move: string): void => {
  if (!ready(table, 'hand')) return
  // What was pointed at before is let go, or the answer would come too late for it.
  putDown(table)
  foresee(table, move, 'hand')
}
