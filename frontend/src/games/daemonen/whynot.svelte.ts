/** A tap beside what is lit: what it may have meant, so that the server can say why it may not be; or a half step to be taken back. */
import { foresee, mayAct, play, putDown, undo, type TableState } from '../../lib/table.svelte'
import { ownSeat, tap } from './interact'
import { R, cellAt, cornerNear, type Point } from './layout'
import type { DdView } from './view'

/** How near to a corner a tap means the corner. */
const NEAR = 18

/** What the reader wants instead of what he has just put back. */
export class Instead {
  /** The population to be picked once the other one has been put back. */
  cell = $state<string | null>(null)
}

/** A place that is not lit was meant. */
export function askWhyNot(table: TableState<DdView>, instead: Instead, at: Point, mouse: boolean): void {
  const cell = cellAt(at)
  if (table.scene || !mayAct(table)) return tap(table, cell, undefined)
  // A mouse has pointed at much on its way here; what a finger has chosen, or what is held, is let go first.
  const letsGo = table.picked || (table.armed && !mouse)
  putDown(table)
  if (letsGo || rethink(table, instead, cell, at)) return
  const [verb, place] = questionAt(table.shown, cell, at, ownSeat(table) ?? 'red') ?? []
  if (verb) foresee(table, verb === 'lay' ? `lay ${place} r0` : `${verb} ${place}`, place)
}

/** What a tap on an unlit place most likely meant: a verb, and the field or corner. Whether it may be is the server's to say. */
export function questionAt(view: DdView, cell: string, at: Point, own: string): [string, string] | null {
  const laid = view.cells.some((one) => one.cell === cell)
  if (view.in_hand) return laid || view.frontier.includes(cell) ? [view.in_hand === 'portal' ? 'portal' : 'lay', cell] : null
  const forStone = view.phase === 'light' && (!view.half || view.half.includes('/'))
  const corner = forStone ? cornerNear(view.corners, at, view.half ? R : NEAR) : undefined
  if (corner) return [view.half ? 'from' : corner.stone && corner.stone !== own ? 'convert' : 'stone', corner.corner]
  if (!laid) return null
  if (view.phase === 'populate') return ['settle', cell]
  if (view.phase === 'move') return [view.half ? 'to' : 'from', cell]
  if (view.phase === 'dark') return ['demon', cell]
  return view.phase === 'light' ? [view.half ? 'from' : 'temple', cell] : null
}

/** What was picked is tapped again, or another population instead of it: the half step is taken back. */
function rethink(table: TableState<DdView>, instead: Instead, cell: string, at: Point): boolean {
  const view = table.shown
  if (!view.half || !table.canUndo) return false
  const again = view.half.includes('/') ? cornerNear(view.corners, at, NEAR)?.corner === view.half : cell === view.half
  const own = ownSeat(table)
  const other = view.phase === 'move' && !again && view.cells.some((one) => one.cell === cell && one.population === own)
  if (!again && !other) return false
  if (other) instead.cell = cell
  undo(table)
  return true
}

/** Once the half step is back, the population that was meant is picked. */
export function pickInstead(table: TableState<DdView>, instead: Instead): void {
  const { cell } = instead
  if (!cell) return
  if (table.sending || table.notice) instead.cell = null
  else if (!table.shown.half && mayAct(table)) {
    instead.cell = null
    if (table.legal.includes(`from ${cell}`)) play(table, `from ${cell}`)
    else foresee(table, `from ${cell}`, cell)
  }
}
