/** Dragging a card or a druid: lift, hover, drop. */
import { disarm, foresee, mayAct, play, putDown, type TableState } from '../../lib/table.svelte'
import { moveTo, ownSeat, pointAt, targets, type Picked } from './interact'
import { isCult, seatOfBoard, type DwView } from './view'
import { refuseAway } from './whynot'

type Table = TableState<DwView>

export function liftable(table: Table, picked: NonNullable<Picked>): boolean {
  if (!mayAct(table) || table.shown.phase !== 'turn') return false
  putDown(table)
  table.picked = picked
  return targets(table).size > 0 || (putDown(table), false)
}

export function hover(table: Table, board: string | null): void {
  if (board && targets(table).has(board)) pointAt(table, board)
  else disarm(table)
}

export function drop(table: Table, board: string | null): void {
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
