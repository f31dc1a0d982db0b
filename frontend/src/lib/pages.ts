/** The pages, fetched when somebody goes there. */

export const load = {
  lobby: () => import('../pages/Lobby.svelte'),
  setup: () => import('../pages/Setup.svelte'),
  table: () => import('../pages/Table.svelte'),
  rules: () => import('../pages/Rules.svelte'),
  replay: () => import('../pages/Replay.svelte'),
  review: () => import('../review/Review.svelte'),
  games: () => import('../review/MyGames.svelte'),
  learn: () => import('../lessons/Learn.svelte'),
  puzzles: () => import('../puzzles/Puzzles.svelte'),
  lab: () => import('../lab/Lab.svelte'),
  lost: undefined,
}
