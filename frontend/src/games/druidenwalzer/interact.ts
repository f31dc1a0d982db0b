/** What taps, presses and drags mean on this board. A hand card, a druid or a top card is picked; then a place is chosen. */
import { arm, choose, disarm, foresee, mayAct, play, putDown, refuse, skip, type TableState } from '../../lib/table.svelte'
import { jump, readMove, retreat, waltz, withdraw } from './notation'
import { COLOURS, SEATS, isCult, seatOfBoard, treeOf, type Colour, type DwView, type Seat } from './view'

export type Picked = { kind: 'hand'; place: number } | { kind: 'druid'; colour: Colour } | { kind: 'top'; tree: number } | null

export const viewOf = (table: TableState): DwView => table.shown as unknown as DwView
export const pickedOf = (table: TableState): Picked => table.picked as Picked
/** Who sits at the bottom: oneself, or Sun for a watcher. */
export const ownSeat = (table: TableState): Seat => SEATS[table.seat ?? 0]!

/** The move that choosing a board would mean now, legal or not; null if it means nothing. */
export function moveTo(table: TableState, board: string): string | null {
  const view = viewOf(table)
  const seat = ownSeat(table)
  const picked = pickedOf(table)
  if (view.phase === 'druids') {
    const colour = COLOURS.find((one) => table.legal.some((move) => move.startsWith(one)))
    return colour && !isCult(board) && seatOfBoard(board) === seat ? `${colour}@${board[1]}` : null
  }
  if (view.phase !== 'turn' || !picked || seatOfBoard(board) !== seat) return null
  const card = picked.kind === 'hand' ? view.hand[seat][picked.place] : null
  if (isCult(board)) return card ? retreat(card, seat) : picked.kind === 'top' ? withdraw(picked.tree) : null
  if (card) return waltz(card, Number(board[1]), seat)
  if (picked.kind === 'druid') return treeOf(view, board)?.druid === picked.colour ? null : jump(picked.colour)
  return null
}

/** The boards that may be chosen now. */
export function targets(table: TableState): Set<string> {
  if (!mayAct(table)) return new Set()
  const boards = viewOf(table).oval.filter((board) => {
    const move = moveTo(table, board)
    return move !== null && table.legal.includes(move) && !(move.startsWith('J') && treeOf(viewOf(table), board)?.druid)
  })
  return new Set(boards)
}

function ready(table: TableState, anchor: string): boolean {
  if (table.scene) skip(table)
  else if (mayAct(table)) return true
  else if (table.seat !== null && !table.result && !table.sending) refuse(table, 'not_your_turn', anchor)
  return false
}

/** What is in the hand cannot go there: each player acts on the own trees and the own cult board. */
function refuseAway(table: TableState, board: string): void {
  const picked = pickedOf(table)
  const rule =
    viewOf(table).phase === 'druids' ? 'DW-2.4' : picked?.kind === 'druid' ? 'DW-3.2' : picked?.kind === 'top' ? 'DW-3.1' : 'DW-4.1'
  const code =
    viewOf(table).phase === 'druids'
      ? 'dw.druids_first'
      : picked?.kind === 'druid'
        ? 'web.dw.jump_where'
        : picked?.kind === 'top'
          ? 'web.dw.withdraw_where'
          : 'web.dw.not_your_tree'
  putDown(table)
  table.refusal = { reason: { code, rule, params: {} }, anchor: board }
}

export function tapHand(table: TableState, place: number): void {
  if (!ready(table, 'hand')) return
  const picked = pickedOf(table)
  const same = picked?.kind === 'hand' && picked.place === place
  putDown(table)
  if (!same && viewOf(table).phase === 'turn') table.picked = { kind: 'hand', place } satisfies Picked
}

export function tapBoard(table: TableState, board: string): void {
  if (!ready(table, board)) return
  const view = viewOf(table)
  const picked = pickedOf(table)
  const move = moveTo(table, board)
  if (move) return choose(table, move, board)
  if (view.phase === 'contest') {
    const colour = treeOf(view, board)?.druid
    if (colour) choose(table, `C ${colour}`, board)
    return
  }
  const away = seatOfBoard(board) !== ownSeat(table)
  if (view.phase === 'druids' || (picked && (away || isCult(board)))) return refuseAway(table, board)
  if (isCult(board) || view.phase !== 'turn' || away) return putDown(table)
  const same = picked?.kind === 'top' && picked.tree === Number(board[1])
  putDown(table)
  if (same) return
  const back = withdraw(Number(board[1]))
  if (table.legal.includes(back)) table.picked = { kind: 'top', tree: Number(board[1]) } satisfies Picked
  else foresee(table, back, board)
}

export function tapDruid(table: TableState, colour: Colour, board: string): void {
  if (!ready(table, board)) return
  const picked = pickedOf(table)
  const phase = viewOf(table).phase
  if (picked?.kind === 'hand' || phase !== 'turn' || seatOfBoard(board) !== ownSeat(table)) return tapBoard(table, board)
  const same = picked?.kind === 'druid' && picked.colour === colour
  putDown(table)
  if (same) return
  if (table.legal.includes(jump(colour))) table.picked = { kind: 'druid', colour } satisfies Picked
  else foresee(table, jump(colour), board)
}

/** Pointing at a board, by mouse or by the keyboard's focus, shows what choosing it would bring. */
export function pointAt(table: TableState, board: string): void {
  if (!targets(table).has(board)) return
  const move = moveTo(table, board)
  if (move) arm(table, move, board)
}

/** Dragging: lift, hover, drop. */
export function liftable(table: TableState, picked: NonNullable<Picked>): boolean {
  if (!mayAct(table) || viewOf(table).phase !== 'turn') return false
  putDown(table)
  table.picked = picked
  return targets(table).size > 0 || (putDown(table), false)
}

export function hover(table: TableState, board: string | null): void {
  if (board && targets(table).has(board)) pointAt(table, board)
  else disarm(table)
}

export function drop(table: TableState, board: string | null): void {
  if (!board) return putDown(table)
  const move = moveTo(table, board)
  // Back where it was taken up: it is simply put down.
  if (!move) return seatOfBoard(board) === ownSeat(table) && !isCult(board) ? putDown(table) : refuseAway(table, board)
  if (targets(table).has(board)) play(table, move)
  else {
    foresee(table, move, board)
    table.picked = null
  }
}

/** The direction that the oval should show: of the card that is picked or being played. */
export function direction(table: TableState): '<' | '>' | null {
  const picked = pickedOf(table)
  const event = table.scene?.event
  if (event?.kind === 'danced') return event.way as '<' | '>'
  if (event?.kind === 'played') return (String(event.card).at(-1) as '<' | '>') ?? null
  if (table.armed) {
    const move = readMove(table.armed, ownSeat(table))
    if (move.kind === 'waltz') return move.card.at(-1) as '<' | '>'
  }
  const card = picked?.kind === 'hand' ? viewOf(table).hand[ownSeat(table)][picked.place] : null
  return card ? (card.at(-1) as '<' | '>') : null
}

/** The colour that rests because the ring lies at one of its druids. */
export function resting(view: DwView): Colour | null {
  return view.ring ? (treeOf(view, view.ring)?.druid ?? null) : null
}
