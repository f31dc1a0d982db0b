/** A page that is drawn in slices: between two of them the browser may paint, and a finger is answered. */
import { flushSync } from 'svelte'

/** For so long a task goes on with the next slice. */
const TASK_MS = 6

const waiting: (() => void)[] = []
const left = $state({ count: 0 })
const bell = new MessageChannel()
bell.port1.onmessage = () => {
  const end = performance.now() + TASK_MS
  do {
    waiting.shift()?.()
    flushSync()
  } while (waiting.length > 0 && performance.now() < end)
  left.count = waiting.length
  if (waiting.length > 0) bell.port2.postMessage(null)
}

/** Draw something when it is its turn; the answer takes it out of the queue. */
export function inTurn(draw: () => void): () => void {
  waiting.push(draw)
  left.count = waiting.length
  if (waiting.length === 1) bell.port2.postMessage(null)
  return () => {
    const at = waiting.indexOf(draw)
    if (at >= 0) waiting.splice(at, 1)
  }
}

/** Whether something has yet to be drawn. */
export const isDrawing = (): boolean => left.count > 0
