/** The first tap would wait for all that has never run: it is rehearsed a few times in moments when nothing else is to be done. */
import { flushSync } from 'svelte'
import { isDrawing } from '../../lib/slices.svelte'
import { mayAct, type TableState } from '../../lib/table.svelte'
import type { Sight } from './gestures.svelte'
import { pointAt, tap } from './interact'
import type { DdView } from './view'

const TIMES = 3

export function rehearseTaps(table: TableState<DdView>, sight: Sight, places: () => Map<string, string[]>): void {
  let left = TIMES
  $effect(() => {
    if (left === 0 || isDrawing() || places().size === 0) return
    const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
    const never = window.cancelIdleCallback ?? clearTimeout
    const next = () => {
      left--
      rehearse(table, sight, places(), left)
      if (left > 0) waiting = later(next)
    }
    let waiting = later(next)
    return () => never(waiting)
  })
}

/** Point at a place and let it go within one task, so that nobody sees it. */
function rehearse(table: TableState<DdView>, { svg }: Sight, places: Map<string, string[]>, turn: number): void {
  // Whoever is faster than we are needs no rehearsal.
  if (!svg || !mayAct(table) || table.armed || table.picked || table.refusal) return
  const [place, ways] = [...places].sort((one, other) => other[1].length - one[1].length)[turn % places.size]!
  for (const element of [svg, svg.querySelector('[data-target]')]) {
    element?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    element?.dispatchEvent(new FocusEvent('focus'))
  }
  pointAt(table, place, ways)
  flushSync()
  svg.getBoundingClientRect()
  tap(table, place, undefined)
  flushSync()
}
