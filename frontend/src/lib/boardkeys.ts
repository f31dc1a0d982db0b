/** The keys that every board has: cards by number, places by arrows, Escape to put down, the space bar to see the outcome. */
import { putDown, skip, type TableState } from './table.svelte'

export function pressOnBoard(table: TableState, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target instanceof HTMLElement && event.target.closest('input, select, textarea, dialog')) return
  if (event.key === 'Escape') putDown(table)
  else if (event.key === ' ' && (table.scene || table.held)) {
    event.preventDefault()
    skip(table)
  } else if (/^Arrow(Left|Right|Up|Down)$/.test(event.key)) {
    const targets = [...document.querySelectorAll<HTMLElement | SVGElement>('.table [data-target], .table button[data-move]')]
    if (targets.length === 0) return
    event.preventDefault()
    const at = targets.indexOf(document.activeElement as HTMLElement)
    const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : -1
    targets[at < 0 ? 0 : (at + step + targets.length) % targets.length]?.focus()
  } else if (/^[1-9]$/.test(event.key)) {
    const card = document.querySelector<HTMLElement>(`button[data-hand="${Number(event.key) - 1}"]`)
    card?.focus()
    card?.click()
  }
}
