/**
 * Whoever plays by keyboard loses the place he was at when a stop, a card or a choice goes: he comes back to what he had taken up,
 * or to the hand.
 */
import { tick } from 'svelte'
import type { TableState } from '../../lib/table.svelte'
import type { CeView } from './view'

/** Follow the focus of a table; the answer is to be told where it goes. */
export function keepFocus(table: () => TableState<CeView>): (focus: FocusEvent) => void {
  let held: Element | null = null
  let home: HTMLElement | null = null
  $effect(() => {
    const { armed, picked, legal, sending, scene } = table()
    void [armed, picked, legal, sending, scene]
    void tick().then(() => {
      if (!held || held.isConnected || document.activeElement !== document.body) return
      const place = home?.isConnected ? home : document.querySelector<HTMLElement>('.table [data-own-hand]')
      place?.focus({ preventScroll: true })
    })
  })
  return ({ target }) => {
    held = target instanceof Element && target.closest('.table') ? target : null
    if (target instanceof HTMLElement && target.matches('.druids button, button[data-hand]')) home = target
  }
}
