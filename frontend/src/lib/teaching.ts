/** Asking what things are and what matters; and what somebody has shown that he knows, which stays on this device. */
import { connections, newId } from './connection'
import type { Advice, Coached, Reason } from './protocol'
import { settings } from './settings.svelte'
import type { TableState } from './table.svelte'

export function askAbout(table: TableState, what: string): void {
  connections.get(table)?.socket.send({ type: 'about', id: newId(), what })
}

/** Once for every decision: much of the page may change meanwhile, and the server answers only so much a second. */
export function askCoach(table: TableState): void {
  const connection = connections.get(table)
  if (!connection || connection.coachedAt === table.revision) return
  connection.coachedAt = table.revision
  connection.socket.send({ type: 'coach', id: newId(), revision: table.revision })
}

/** Whether the coach speaks here: in a stage the goal says what matters; the closing game is coached like any other. */
export const isCoached = (table: TableState): boolean =>
  settings.coach && table.seat !== null && !table.result && (table.info?.lesson?.closing ?? true)

/** So often a rule is used rightly, or an outcome told, before it is known. */
export const KNOWN = 3

const KEY = 'drunemeton.coach'

function counts(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, number>) : {}
  } catch {
    return {}
  }
}

function count(codes: string[]): void {
  const kept = counts()
  for (const code of codes) kept[code] = (Number(kept[code]) || 0) + 1
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without storage the coach says it again next time.
  }
}

const isNew = ({ code }: Advice | Reason): boolean => !(counts()[code]! >= KNOWN)

/** The one thing that matters now and is not known yet. */
export const matters = (coached: Coached | null): Advice | undefined => coached?.before.find(isNew)

/** What came of the last decision, unless that is an old story. */
export const outcome = (coached: Coached | null): Reason | undefined => coached?.after.find(isNew)

/** A move was played: the rules that it used rightly are a little better known. */
export const noteMove = (coached: Coached | null, move: string): void =>
  count((coached?.before ?? []).filter((advice) => advice.right.includes(move)).map((advice) => advice.code))

export const noteOutcome = (reason: Reason): void => count([reason.code])

/** What somebody who listens is told of an element: its label, or its text without what is hidden from him. */
export function heardOf(element: Element): string {
  const label = element.getAttribute('aria-label')
  if (label) return label
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.getAttribute('aria-hidden') === 'true' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const words: string[] = []
  while (walker.nextNode()) if (walker.currentNode instanceof Text) words.push(walker.currentNode.data.trim())
  return words.filter(Boolean).join(' ') || (element.getAttribute('title') ?? '')
}

/** Of everything that explains itself, what lies at a point: the smallest, and of equals the nearest. */
export function thingAt(root: ParentNode, x: number, y: number): Element | null {
  let found: { element: Element; size: number; far: number } | null = null
  for (const element of root.querySelectorAll('[data-about]')) {
    const box = element.getBoundingClientRect()
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue
    const size = Math.round(Math.sqrt(box.width * box.height) / 8)
    const far = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2)
    if (!found || size < found.size || (size === found.size && far < found.far)) found = { element, size, far }
  }
  return found?.element ?? null
}
