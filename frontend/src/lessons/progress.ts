/** Which stages have been done on this device. It can be taken to another one, as a link or as a file; nothing of it is on the server. */

export type Progress = Record<string, string[]>

const KEY = 'drunemeton.lessons'

export function progress(): Progress {
  try {
    return clean(JSON.parse(localStorage.getItem(KEY) ?? '{}'))
  } catch {
    return {}
  }
}

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

function write(kept: Progress): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without storage the lesson begins anew.
  }
}

/** Take in what was done elsewhere. */
export function merge(given: unknown): void {
  const kept = progress()
  for (const [game, names] of Object.entries(clean(given))) kept[game] = [...new Set([...(kept[game] ?? []), ...names])]
  write(kept)
}

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
