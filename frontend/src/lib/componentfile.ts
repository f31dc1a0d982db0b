/** A component file of one's own: JSON, or as much of TOML as our own files use. The server checks what is in it. */

export class Unreadable extends Error {
  constructor(public line: number) {
    super(`line ${line}`)
  }
}

export function readComponents(text: string): Record<string, unknown> {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text) as Record<string, unknown>
    } catch {
      throw new Unreadable(1)
    }
  }
  return readToml(text)
}

type Table = { [name: string]: unknown }

/** `[table]`, `[[list]]`, `name = value` with strings, numbers, booleans and lists of them on one line. */
function readToml(text: string): Table {
  const top: Table = {}
  let into = top
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim()
    if (!line || line.startsWith('#')) return
    const head = /^(\[\[?)\s*([^[\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)
    if (head) {
      into = enter(top, head[2]!.split('.').map(unquoted), head[1] === '[[')
      return
    }
    const pair = /^("(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)\s*=\s*(.+)$/.exec(line)
    if (!pair) throw new Unreadable(index + 1)
    into[unquoted(pair[1]!)] = value(pair[2]!, index + 1)
  })
  delete top.provenance
  return top
}

function enter(top: Table, names: string[], listed: boolean): Table {
  let at = top
  names.forEach((name, depth) => {
    const last = depth === names.length - 1
    const found = at[name]
    if (last && listed) {
      const list = Array.isArray(found) ? (found as Table[]) : []
      at[name] = list
      list.push({})
      at = list.at(-1)!
    } else {
      at[name] ??= {}
      const next = at[name]
      at = (Array.isArray(next) ? next.at(-1) : next) as Table
    }
  })
  return at
}

const unquoted = (name: string) => name.trim().replace(/^(["'])(.*)\1$/, '$2')

function value(text: string, line: number): unknown {
  // What JSON writes, TOML writes alike, once a comment behind it and single quotes are gone.
  const bare = text.replace(/("(?:[^"\\]|\\.)*"|'[^']*')|\s*#.*$/g, (_, string?: string) => string ?? '').trim()
  const json = bare
    .replace(/'([^']*)'/g, (_, inner: string) => JSON.stringify(inner))
    .replace(/,\s*\]/g, ']')
    .replace(/(\d)_(?=\d)/g, '$1')
  try {
    return JSON.parse(json) as unknown
  } catch {
    throw new Unreadable(line)
  }
}
