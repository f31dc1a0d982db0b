/** Links to seats, and how others get to them. */
import type { Version } from './protocol'

export interface Reach {
  /** What links begin with. */
  base: string
  /** Whether others can open them: not while the server listens on this machine only. */
  alone: boolean
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.')

/** From where this page came, others may not: the server knows better which address is good for them. */
export function reachOf(version: Version, here: { origin: string; hostname: string } = location): Reach {
  if (version.public_url) return { base: version.public_url.replace(/\/+$/, ''), alone: false }
  if (!isLoopback(here.hostname)) return { base: here.origin, alone: false }
  const address = version.addresses[0]
  return address ? { base: address, alone: false } : { base: here.origin, alone: version.reach === 'machine' }
}

export const linkTo = (base: string, table: string, key: string): string => `${base}/t/${table}#${key}`

/** Copy a text; on plain http in a local network browsers have no clipboard for pages, but still the old way. */
export async function copy(text: string, field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    field.focus()
    field.select()
    return document.execCommand('copy')
  }
}
