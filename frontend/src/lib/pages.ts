/** The pages that are fetched when somebody goes there; the lobby comes with the first page. */

export const load = {
  setup: () => import('../pages/Setup.svelte'),
  table: () => import('../pages/Table.svelte'),
  rules: () => import('../pages/Rules.svelte'),
  replay: () => import('../pages/Replay.svelte'),
  lobby: undefined,
  lost: undefined,
}
