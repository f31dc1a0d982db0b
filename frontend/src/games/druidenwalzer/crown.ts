/** Crowns of trees seen from above: 1 oak, 2 birch, 3 olive, 4 beech, each with an outline of its own. */

interface Leafage {
  lobes: number
  depth: number
  /** Higher makes the lobes rounder outside and sharper inside. */
  round: number
}

const KINDS: Leafage[] = [
  { lobes: 9, depth: 0.17, round: 0.55 }, // oak: deep round lobes
  { lobes: 17, depth: 0.1, round: 1 }, // birch: fine and feathery
  { lobes: 6, depth: 0.2, round: 0.8 }, // olive: a few long leaves
  { lobes: 12, depth: 0.07, round: 0.5 }, // beech: nearly round
]

const round = (value: number) => Math.round(value * 10) / 10

export function crownPath(kind: number, radius: number, turn = 0, x = 0, y = 0): string {
  const leaf = KINDS[(kind - 1) % KINDS.length]!
  const points = leaf.lobes * 6
  let path = ''
  for (let i = 0; i < points; i++) {
    const angle = (i / points) * Math.PI * 2
    const wave = Math.abs(Math.cos((angle * leaf.lobes) / 2)) ** leaf.round
    const r = radius * (1 - leaf.depth + leaf.depth * wave)
    path += `${i ? 'L' : 'M'}${round(x + Math.cos(angle + turn) * r)} ${round(y + Math.sin(angle + turn) * r)}`
  }
  return path + 'Z'
}

/** A wood of other crowns around the clearing, always the same. */
export function wood(width: number, height: number, radius: number): { x: number; y: number; r: number; kind: number }[] {
  let seed = 7
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  const crowns = []
  const step = radius * 1.15
  const round = 2 * (width + height)
  for (let at = 0; at < round; at += step) {
    const [x, y] =
      at < width
        ? [at, 0]
        : at < width + height
          ? [width, at - width]
          : at < 2 * width + height
            ? [2 * width + height - at, height]
            : [0, round - at]
    crowns.push({
      x: x + (chance() - 0.5) * radius,
      y: y + (chance() - 0.5) * radius,
      r: radius * (0.6 + chance() * 0.5),
      kind: 1 + Math.floor(chance() * 4),
    })
  }
  return crowns
}
