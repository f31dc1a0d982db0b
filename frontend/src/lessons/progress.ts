/**
 * Which stages have been done on this device, and which puzzles solved.
 * It can be taken to another one, as a link or as a file; nothing of it is on the server.
 */

export type Progress = Record<string, string[]>

const LESSONS = 'drunemeton.lessons'
const PUZZLES = 'drunemeton.puzzles'

function read(key: string): Progress {
  try {
    return clean(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

export const progress = (): Progress => read(LESSONS)

/** Whatever comes from a file or a link: lists of names by game, and nothing else. */
function clean(given: unknown): Progress {
  if (typeof given !== 'object' || given === null) return {}
  const lists = Object.entries(given).filter(([game, names]) => /^[a-z]{1,40}$/.test(game) && Array.isArray(names))
  return Object.fromEntries(
    lists.map(([game, names]) => [
      game,
      [...new Set((names as unknown[]).filter((name): name is string => typeof name === 'string' && /^[a-z]{1,40}$/.test(name)))],
    ]),
  )
}

function write(key: string, kept: Progress): void {
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Without storage the lesson begins anew.
  }
}

function take(key: string, given: unknown): void {
  const kept = read(key)
  for (const [game, names] of Object.entries(clean(given))) kept[game] = [...new Set([...(kept[game] ?? []), ...names])]
  write(key, kept)
}

/** Take in what was done elsewhere, as a file has it: stages by game, and among them the puzzles. */
export function merge(given: unknown): void {
  take(LESSONS, given)
  if (typeof given === 'object' && given !== null && 'puzzles' in given) take(PUZZLES, given.puzzles)
}

/** All of it, for a file. */
export const everything = (): object => ({ ...progress(), puzzles: read(PUZZLES) })

export const solved = (game: string): string[] => read(PUZZLES)[game] ?? []
export const noteSolved = (game: string, id: string): void => take(PUZZLES, { [game]: [id] })

export const note = (game: string, name: string): void => merge({ [game]: [name] })

/** From now on the game is known here, whether or not anything of its lesson was done. */
export const meet = (game: string): void => merge({ [game]: [] })

export const isKnown = (game: string): boolean => game in progress()

/** All of it in an address, for another device: `#done=game:name.name,game:name`. */
export const asHash = (): string =>
  '#done=' +
  Object.entries(progress())
    .map(([game, names]) => `${game}:${names.join('.')}`)
    .join(',')

export function takeFromHash(hash: string): boolean {
  const found = /^#?done=([a-z:.,]*)$/.exec(hash)
  if (!found) return false
  merge(
    Object.fromEntries(
      found[1]!.split(',').map((part) => {
        const [game = '', names = ''] = part.split(':')
        return [game, names.split('.').filter(Boolean)]
      }),
    ),
  )
  return true
}
