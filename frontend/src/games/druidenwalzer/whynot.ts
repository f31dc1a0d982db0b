/**
 * Why what is in the hand cannot go where it was dropped or tapped: moves that the notation cannot even write, so the server cannot
 * be asked.
 */
import { putDown, type TableState } from '../../lib/table.svelte'
import { pickedOf } from './interact'
import type { DwView } from './view'

/** What is in the hand cannot go there: each player acts on the own trees and the own cult board. */
export function refuseAway(table: TableState<DwView>, board: string): void {
  const picked = pickedOf(table)
  const rule =
    table.shown.phase === 'druids' ? 'DW-2.4' : picked?.kind === 'druid' ? 'DW-3.2' : picked?.kind === 'top' ? 'DW-3.1' : 'DW-4.1'
  const code =
    table.shown.phase === 'druids'
      ? 'dw.druids_first'
      : picked?.kind === 'druid'
        ? 'web.dw.jump_where'
        : picked?.kind === 'top'
          ? 'web.dw.withdraw_where'
          : 'web.dw.not_your_tree'
  putDown(table)
  table.refusal = { reason: { code, rule, params: {} }, anchor: board }
}
