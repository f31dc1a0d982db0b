/**
 * What lies over a page (a sheet, a dialog, a menu): Back closes the topmost before it leaves the page.
 *
 * Each layer has an entry in the browser's history. One that was closed in another way leaves its entry to the next layer, because
 * going back takes time in which another may open; whoever then goes back is led past what is left.
 */
type Close = () => void

const open: Close[] = []
const depthOf = (state: unknown): number => (state as { layer?: number } | null)?.layer ?? 0
let entries = depthOf(typeof history === 'undefined' ? null : history.state)

/** Something lies over the page now. Answers what to call when it is gone. */
export function layer(close: Close): () => void {
  open.push(close)
  if (entries < open.length) history.pushState({ layer: (entries = open.length) }, '')
  return () => {
    const at = open.indexOf(close)
    if (at >= 0) open.splice(at, 1)
  }
}

/** The reader went back or forth: whether that was about layers, and the page stays. */
export function handled(state: unknown): boolean {
  const before = entries
  entries = depthOf(state)
  if (entries >= before) return false
  if (open.length <= entries) {
    history.back()
    return true
  }
  while (open.length > entries) open.pop()!()
  return true
}

/** The page is left: whether its entry is one of a layer, which the next page takes over. */
export function left(): boolean {
  const over = entries > 0
  entries = open.length = 0
  return over
}
