/** Views that are sent as what changed of them. */
import type { View } from './protocol'

/** A change of a view: a path with its new value, or a path alone for what is gone. */
export type Change = [(string | number)[], unknown?]

/** A view with changes made to it; what does not change stays the same object. */
export function changed(view: View, changes: Change[]): View {
  type Node = Record<string | number, unknown>
  const fresh = new Set<unknown>()
  const own = (node: unknown): Node => {
    if (fresh.has(node)) return node as Node
    const copy = Array.isArray(node) ? [...node] : { ...(node as Node) }
    fresh.add(copy)
    return copy as Node
  }
  const root = own(view)
  for (const [path, ...value] of changes) {
    let node = root
    for (const name of path.slice(0, -1)) node = node[name] = own(node[name])
    const last = path.at(-1)!
    if (value.length) node[last] = value[0]
    else delete node[last]
  }
  return root
}
