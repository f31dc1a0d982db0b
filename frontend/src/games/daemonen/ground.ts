/** How land looks: forest, water and rock that grow in from a field's edges, and over them into the next field. */
import { R, STEPS, hexagon, middle, round, text, towards, type Point } from './layout'
import type { Cell, Terrain } from './view'

export interface Ground {
  /** The ground of each terrain, grown in from the edges. */
  grounds: Record<Terrain, string>
  /** What stands on it. */
  signs: Record<Terrain, string>
  rocky: boolean
}

const drawn = new Map<string, Ground>()
const INNER: Record<Terrain, number> = { F: 0.34, W: 0.38, M: 0.3 }

/** How a land field looks; the same sides always look the same, so each is worked out once. */
export function groundOf(sides: string): Ground {
  let found = drawn.get(sides)
  if (!found) {
    found = work(sides)
    drawn.set(sides, found)
  }
  return found
}

function work(sides: string): Ground {
  const ground: Ground = {
    grounds: { F: '', W: '', M: '' },
    signs: { F: '', W: '', M: '' },
    rocky: [...sides].filter((side) => side !== 'M').length < 2,
  }
  const starts = [0, 1, 2, 3, 4, 5].filter((k) => sides[k] !== sides[(k + 5) % 6])
  if (starts.length === 0) ground.grounds[sides[0] as Terrain] = hexagon(R)
  for (const start of starts) {
    const terrain = sides[start] as Terrain
    let count = 1
    while (sides[(start + count) % 6] === terrain) count++
    // Around the outside from corner to corner, and back along a soft line inside.
    const outer = Array.from({ length: count + 1 }, (_, i) => towards(60 * (start + i) - 30, R))
    const inner = Array.from({ length: count }, (_, i) => towards(60 * (start + count - 1 - i), R * INNER[terrain]))
    let path = 'M' + outer.map(text).join('L')
    const last = outer[outer.length - 1]!
    const points = [last, ...inner, outer[0]!]
    for (let i = 1; i < points.length - 1; i++) {
      const [here, next] = [points[i]!, points[i + 1]!]
      const end = i === points.length - 2 ? next : { x: (here.x + next.x) / 2, y: (here.y + next.y) / 2 }
      path += `Q${text(here)} ${text(end)}`
    }
    ground.grounds[terrain] += path + 'Z'
  }
  for (let k = 0; k < 6; k++) {
    const terrain = sides[k] as Terrain
    ground.signs[terrain] += sign(terrain, 60 * k, k)
  }
  return ground
}

const shift = (x: number, y: number, path: string): string => `M${round(x)} ${round(y)}${path}`

/** Trees, waves or peaks along one side. */
function sign(terrain: Terrain, degrees: number, k: number): string {
  const at = (turn: number, far: number): Point => towards(degrees + turn, R * far)
  if (terrain === 'F') return [at(-17, 0.75), at(15, 0.68)].map((p, i) => tree(p.x, p.y, i === k % 2 ? 1 : 0.82)).join('')
  if (terrain === 'W') {
    const p = at(0, 0.68)
    return shift(p.x - 9, p.y - 1, 'q4.5-5 9 0t9 0') + shift(p.x - 5, p.y + 6, 'q3.5-4 7 0t7 0')
  }
  const p = at(0, 0.67)
  return peak(p.x, p.y, k % 2 ? 1 : 0.9)
}

export const tree = (x: number, y: number, size: number): string => {
  const s = (value: number) => round(value * size)
  return shift(x, y - 9 * size, `l${s(6)} ${s(9)}h${s(-3)}l${s(4)} ${s(7)}h${s(-14)}l${s(4)} ${s(-7)}h${s(-3)}Z`)
}
export const peak = (x: number, y: number, size: number): string => {
  const s = (value: number) => round(value * size)
  return shift(x - 11 * size, y + 7 * size, `l${s(7)} ${s(-14)} ${s(4)} ${s(6)} ${s(4)} ${s(-9)} ${s(8)} ${s(17)}Z`)
}

/** Where the same terrain meets across an edge: a tree, a wave or a peak that stands on the edge itself. */
export function joins(cells: Cell[]): Record<Terrain, string> {
  const found: Record<Terrain, string> = { F: '', W: '', M: '' }
  const sides = new Map(cells.flatMap((cell) => (cell.sides && !cell.demon ? [[cell.cell, cell.sides] as const] : [])))
  for (const cell of cells) {
    if (!sides.has(cell.cell)) continue
    for (let k = 0; k < 3; k++) {
      const [dq, dr] = STEPS[k]!
      const other = sides.get(`${cell.q + dq},${cell.r + dr}`)
      const terrain = cell.sides![k] as Terrain
      if (!other || other[k + 3] !== terrain) continue
      const at = middle(cell.q, cell.r)
      const out = towards(60 * k, R * 0.866)
      const [x, y] = [at.x + out.x, at.y + out.y]
      if (terrain === 'F') found.F += tree(x, y, 1.1)
      else if (terrain === 'W') found.W += shift(x - 9, y, 'q4.5-5 9 0t9 0')
      else found.M += peak(x, y, 1.05)
    }
  }
  return found
}
