/** The rules as a sheet over a table: which game's, and at which rule. */
const sheet = $state<{ game: string | null; rule: string | null }>({ game: null, rule: null })
let now: { game: string; rule: string | null } | null = null

export const rulesheet = (): { game: string | null; rule: string | null } => sheet

/** The table that is open, and the rule that matters there now. */
export function ruleMatters(game: string | null, rule: string | null): void {
  now = game ? { game, rule } : null
}

/** Open the rules over the table; false where no table is open, or other rules are meant. */
export function openRules(game: string | null, rule: string | null): boolean {
  if (!now || (game !== null && game !== now.game)) return false
  sheet.game = now.game
  sheet.rule = rule ?? now.rule
  return true
}

export function closeRules(): void {
  sheet.game = null
}
