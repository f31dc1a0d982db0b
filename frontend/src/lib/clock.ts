/** Time in words and figures. */
import type { Clocks } from './protocol'

/** Milliseconds that a seat has left now. */
export function leftNow(clocks: Clocks, arrived: number, seat: number, now: number): number {
  const left = clocks.left[seat] ?? 0
  return clocks.running === seat ? Math.max(0, left - (now - arrived)) : left
}

/** A clock's face: `4:05`, `1:02:09`, or days and hours when there is that much time. */
export function face(ms: number, language: string): string {
  const seconds = Math.ceil(ms / 1000)
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
  const two = (figure: number) => String(figure).padStart(2, '0')
  if (days > 0)
    return [length(days * 86400, language, 'narrow'), hours ? length(hours * 3600, language, 'narrow') : ''].filter(Boolean).join(' ')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** So many seconds in words: `5 minutes`, `3 days`. */
export function length(seconds: number, language: string, unitDisplay: 'long' | 'narrow' = 'long'): string {
  const [size, unit] = (
    [
      [86400, 'day'],
      [3600, 'hour'],
      [60, 'minute'],
      [1, 'second'],
    ] as const
  ).find(([fits]) => seconds % fits === 0)!
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(seconds / size)
}
