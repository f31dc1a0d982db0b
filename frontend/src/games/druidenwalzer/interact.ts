/** What taps, presses and drags mean on this board. A hand card, a druid or a top card is picked; then a place is chosen. */
import { arm, choose, foresee, mayAct, putDown, refuse, skip, type TableState } from '../../lib/table.svelte'
import { jump, readMove, retreat, waltz, withdraw } from './notation'
import { COLOURS, SEATS, cultOf, isCult, seatOfBoard, treeName, treeOf, type Colour, type DwView, type Seat } from './view'
import { refuseAway } from './whynot'

type Table = TableState<DwView>

export type Picked = { kind: 'hand'; place: number } | { kind: 'druid'; colour: Colour } | { kind: 'top'; tree: number } | null

export const pickedOf = (table: Table): Picked => table.picked as Picked
/** Who sits at the bottom: oneself, or Sun for a watcher. */
export const ownSeat = (table: Table): Seat => SEATS[table.seat ?? 0]!

/** The move that choosing a board would mean now, legal or not; null if it means nothing. */
export function moveTo(table: Table, board: string): string | null {
  const view = table.shown
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
  if (picked.kind === 'druid') return board === treeName(seat, view.jump_to[seat] ?? 0) ? jump(picked.colour) : null
  return null
}

/** Where a move is made, however it was chosen: by hand, from the list, or as a hint. */
export function boardOf(table: Table, text: string): string | null {
  const seat = ownSeat(table)
  const move = readMove(text, seat)
  if (move.kind === 'waltz' || move.kind === 'withdraw' || move.kind === 'druid') return treeName(seat, move.tree)
  if (move.kind === 'jump') return treeName(seat, table.shown.jump_to[seat] ?? 0)
  return move.kind === 'retreat' ? cultOf(seat) : null
}

/** The boards that may be chosen now. */
export function targets(table: Table): Set<string> {
  if (!mayAct(table)) return new Set()
  const boards = table.shown.oval.filter((board) => {
    const move = moveTo(table, board)
    return move !== null && table.legal.includes(move)
  })
  return new Set(boards)
}

function ready(table: Table, anchor: string): boolean {
  if (table.scene) skip(table)
  else if (mayAct(table)) return true
  else if (table.seat !== null && !table.result && !table.sending) refuse(table, 'not_your_turn', anchor)
  return false
}

export function tapHand(table: Table, place: number): void {
  if (!ready(table, 'hand')) return
  const picked = pickedOf(table)
  const same = picked?.kind === 'hand' && picked.place === place
  putDown(table)
  if (!same && table.shown.phase === 'turn') table.picked = { kind: 'hand', place } satisfies Picked
}

export function tapBoard(table: Table, board: string): void {
  if (!ready(table, board)) return
  const view = table.shown
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

export function tapDruid(table: Table, colour: Colour, board: string): void {
  if (!ready(table, board)) return
  const picked = pickedOf(table)
  const phase = table.shown.phase
  if (picked?.kind === 'hand' || phase !== 'turn' || seatOfBoard(board) !== ownSeat(table)) return tapBoard(table, board)
  const same = picked?.kind === 'druid' && picked.colour === colour
  putDown(table)
  if (same) return
  if (table.legal.includes(jump(colour))) table.picked = { kind: 'druid', colour } satisfies Picked
  else foresee(table, jump(colour), board)
}

/** Pointing at a board, by mouse or by the keyboard's focus, shows what choosing it would bring. */
export function pointAt(table: Table, board: string): void {
  if (!targets(table).has(board)) return
  const move = moveTo(table, board)
  if (move) arm(table, move, board)
}

/** The direction that the oval should show: of the card that is picked or being played. */
export function direction(table: Table): '<' | '>' | null {
  const picked = pickedOf(table)
  const event = table.scene?.event
  if (event?.kind === 'danced') return event.way as '<' | '>'
  if (event?.kind === 'played') return (String(event.card).at(-1) as '<' | '>') ?? null
  if (table.armed) {
    const move = readMove(table.armed, ownSeat(table))
    if (move.kind === 'waltz') return move.card.at(-1) as '<' | '>'
  }
  const card = picked?.kind === 'hand' ? table.shown.hand[ownSeat(table)][picked.place] : null
  return card ? (card.at(-1) as '<' | '>') : null
}
