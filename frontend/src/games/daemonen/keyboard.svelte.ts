/** The keyboard's cursor on the map: from one lit place to the next, and on after a move. */
import { untrack } from 'svelte'
import { mayAct, putDown, type TableState } from '../../lib/table.svelte'
import { toScreen } from './camera'
import { centre, fitAll, look, nearer, type Sight } from './gestures.svelte'
import { cycle, pickedOf, pointAt, press } from './interact'
import { placeOf, type Point } from './layout'
import type { DdView } from './view'

export interface Target extends Point {
  place: string
  corner: boolean
}

export class Cursor {
  /** The place that had the focus last. */
  place = $state<string | null>(null)
  /** A move was made by keyboard: the cursor goes on when the next may be chosen. */
  waits = false
}

const WAYS: Record<string, Point> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** The nearest target in a direction; what lies aside counts twice. */
export function nextTarget(targets: Target[], from: Point, way: Point): Target | undefined {
  return targets
    .map((target) => {
      const [dx, dy] = [target.x - from.x, target.y - from.y]
      const ahead = dx * way.x + dy * way.y
      return { target, ahead, cost: ahead + 2 * Math.abs(dx * way.y - dy * way.x) }
    })
    .filter((one) => one.ahead > 8)
    .sort((one, other) => one.cost - other.cost)[0]?.target
}

export const targetAt = (sight: Sight, place: string) => sight.svg?.querySelector<SVGElement>(`[data-place="${place}"]`)

/** A key on a lit place. */
export function key(
  table: TableState<DdView>,
  sight: Sight,
  places: Map<string, string[]>,
  targets: Target[],
  stroke: KeyboardEvent,
): void {
  const place = (stroke.currentTarget as Element).getAttribute('data-place')!
  if (stroke.key === 'Enter' || stroke.key === ' ') {
    stroke.preventDefault()
    return press(table, place, places.get(place))
  }
  const way = WAYS[stroke.key]
  const next = way && nextTarget(targets, placeOf(place), way)
  if (!next) return
  stroke.preventDefault()
  stroke.stopPropagation()
  targetAt(sight, next.place)?.focus()
}

/** Keys that belong to the whole table. */
export function windowKey(table: TableState<DdView>, sight: Sight, stroke: KeyboardEvent): void {
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey) return
  if (stroke.target instanceof HTMLElement && stroke.target.closest('input, select, textarea, dialog')) return
  if (stroke.key === 'r') cycle(table, -1)
  else if (stroke.key === 'R') cycle(table, 1)
  else if (stroke.key === '+') nearer(sight, 1.3)
  else if (stroke.key === '-') nearer(sight, 1 / 1.3)
  else if (stroke.key === '0') fitAll(sight)
}

/** A place has got the focus: it is pointed at and comes into sight. */
export function focused(table: TableState<DdView>, sight: Sight, cursor: Cursor, places: Map<string, string[]>, element: Element): void {
  // A finger needs no place to come back to, and every place would be looked at anew.
  if (!element.matches(':focus-visible')) return
  const place = element.getAttribute('data-place')!
  cursor.place = place
  // Whoever goes on with the arrows holds the place before no longer.
  if (pickedOf(table) && pickedOf(table)?.place !== place) putDown(table)
  pointAt(table, place, places.get(place))
  const at = toScreen(sight.camera, placeOf(place))
  if (at.x < 20 || at.y < 20 || at.x > sight.width - 20 || at.y > sight.height - 20) look(sight, centre(sight, placeOf(place)), true)
}

/** After a move by keyboard the cursor waits on the map, and goes on to what may be chosen next: another place nearby, or else a button. */
export function goOn(table: TableState<DdView>, sight: Sight, cursor: Cursor, targets: () => Target[]): void {
  $effect.pre(() => {
    if (!table.sending || !document.activeElement?.matches('.table [data-target]:focus-visible, .table button[data-move]:focus-visible'))
      return
    cursor.waits = true
    sight.svg?.focus({ preventScroll: true })
  })
  $effect(() => {
    if (!mayAct(table) || !cursor.waits) return
    cursor.waits = false
    if (document.activeElement !== sight.svg && document.activeElement !== document.body) return
    const last = untrack(() => cursor.place) ?? '0,0'
    const here = placeOf(last)
    // Not the same place: a key too many would undo what was done there.
    const far = (target: Target) => (target.place === last ? Infinity : Math.hypot(target.x - here.x, target.y - here.y))
    const next = [...targets()].sort((one, other) => far(one) - far(other))[0]
    const element = next ? targetAt(sight, next.place) : document.querySelector<HTMLElement>('.table button[data-move]')
    element?.focus()
  })
}
