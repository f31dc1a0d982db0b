/**
 * Where cells and corners lie: hexagons with a corner above, directions counted counter-clockwise from the right as the rules count
 * them.
 */
import type { Corner } from './view'

export interface Point {
  x: number
  y: number
}

/** The distance from a field's middle to its corners. */
export const R = 50
export const STEPS: [number, number][] = [
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, 1],
  [0, 1],
]

export const round = (value: number): number => Math.round(value * 10) / 10

export function readCell(name: string): { q: number; r: number } {
  const [q = 0, r = 0] = name.split(',').map(Number)
  return { q, r }
}

export const middle = (q: number, r: number): Point => ({ x: round(Math.sqrt(3) * R * (q + r / 2)), y: round(1.5 * R * r) })

function middleOf(name: string): Point {
  const { q, r } = readCell(name)
  return middle(q, r)
}

/** A point in a direction of degrees counter-clockwise from the right, as the rules count directions. */
export function towards(degrees: number, far: number): Point {
  const angle = (-degrees * Math.PI) / 180
  return { x: round(Math.cos(angle) * far), y: round(Math.sin(angle) * far) }
}

/** Where a place of the board lies: a cell `q,r` or a corner `q,r/k`. */
export function placeOf(name: string): Point {
  const [cell = '', k] = name.split('/')
  const at = middleOf(cell)
  if (k === undefined) return at
  const out = towards(60 * Number(k) + 30, R)
  return { x: round(at.x + out.x), y: round(at.y + out.y) }
}

export const text = (point: Point): string => `${round(point.x)} ${round(point.y)}`

export const hexagonAt = (at: Point, radius: number): string =>
  'M' +
  Array.from({ length: 6 }, (_, k) => towards(60 * k + 30, radius))
    .map((corner) => text({ x: at.x + corner.x, y: at.y + corner.y }))
    .join('L') +
  'Z'

export const hexagon = (radius: number): string => hexagonAt({ x: 0, y: 0 }, radius)

/** The sides of a card as they lie: printed side i in direction i + rotation. */
export const turned = (sides: string, rotation: number): string =>
  Array.from({ length: 6 }, (_, k) => sides[(k - rotation + 6) % 6]).join('')

/** The cell under a point of the board. */
export function cellAt(at: Point): string {
  const r = at.y / (1.5 * R)
  const q = at.x / (Math.sqrt(3) * R) - r / 2
  let [cq, cr] = [Math.round(q), Math.round(r)]
  const cs = Math.round(-q - r)
  const [dq, dr, ds] = [Math.abs(cq - q), Math.abs(cr - r), Math.abs(cs + q + r)]
  if (dq > dr && dq > ds) cq = -cr - cs
  else if (dr > ds) cr = -cq - cs
  // There is no field -0.
  return `${cq || 0},${cr || 0}`
}

/** The corner nearest to a point, if one is so near. */
export function cornerNear(corners: Corner[], at: Point, within: number): Corner | undefined {
  const far = (corner: Corner): number => {
    const { x, y } = placeOf(corner.corner)
    return Math.hypot(x - at.x, y - at.y)
  }
  return corners.filter((corner) => far(corner) < within).sort((one, other) => far(one) - far(other))[0]
}
