/**
 * Addresses and pages: a path becomes a page, a click on an inner link changes the path. Our own because that is all it does: one function
 * from an address to a page, keys that leave the address line, and rules that open over a table.
 */
import { handled, left } from './layers'
import { openRules } from './rulesheet.svelte'

export type Page =
  | { name: 'lobby' }
  | { name: 'setup'; game: string }
  | { name: 'table'; id: string; key: string | null }
  | { name: 'rules'; game: string | null }
  | { name: 'replay'; id: string | null }
  | { name: 'review'; id: string | null }
  | { name: 'learn'; game: string | null }
  | { name: 'games' }
  | { name: 'puzzles'; game: string | null }
  | { name: 'lab' }
  | { name: 'lost' }

export function pageOf(path: string, hash: string): Page {
  const [first = '', second = '', ...rest] = path.split('/').filter(Boolean)
  if (rest.length > 0) return { name: 'lost' }
  if (first === '') return { name: 'lobby' }
  if (first === 'new' && second) return { name: 'setup', game: second }
  if (first === 't' && second) return { name: 'table', id: second, key: /^#[\w-]{20,}$/.test(hash) ? hash.slice(1) : null }
  if (first === 'replay') return { name: 'replay', id: second || null }
  if (first === 'review') return { name: 'review', id: second || null }
  if (first === 'learn') return { name: 'learn', game: second || null }
  if (first === 'games' && !second) return { name: 'games' }
  if (first === 'puzzles') return { name: 'puzzles', game: second || null }
  if (first === 'lab' && !second) return { name: 'lab' }
  if (first === 'rules') return { name: 'rules', game: second || null }
  return { name: 'lost' }
}

const here = $state<{ page: Page; hash: string }>({ page: pageOf(location.pathname, location.hash), hash: location.hash })
export const page = (): Page => here.page
/** The part after `#`: a rule's number on a rules page. */
export const anchor = (): string => decodeURIComponent(here.hash.slice(1))

function look(): void {
  here.page = pageOf(location.pathname, location.hash)
  here.hash = location.hash
}

export function go(address: string, replace = false): void {
  history[left() || replace ? 'replaceState' : 'pushState'](null, '', address)
  look()
  if (!location.hash) scrollTo(0, 0)
}

/** Take the key out of the address line, so that it is neither seen nor shared by accident. */
export function forgetHash(): void {
  history.replaceState(history.state, '', location.pathname)
  look()
}

export function followLinks(): void {
  addEventListener('popstate', (pop) => handled(pop.state) || look())
  document.addEventListener('click', (click) => {
    if (click.defaultPrevented || click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey) return
    const link = (click.target as Element).closest('a')
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return
    if (link.pathname === location.pathname && link.hash) return here.hash === link.hash ? undefined : void setTimeout(look)
    click.preventDefault()
    // At a table the rules are a sheet: nobody leaves it to read.
    const rules = /^\/rules(?:\/(\w+))?$/.exec(link.pathname)
    if (rules && openRules(rules[1] ?? null, decodeURIComponent(link.hash.slice(1)) || null)) return
    go(link.pathname + link.search + link.hash)
  })
}
