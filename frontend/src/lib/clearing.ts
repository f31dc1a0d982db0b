/** Where something that lies over the board hides nothing that can be tapped next. */

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const overlap = (one: Box, other: Box): number =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top))

/** Between a piece and what is said of it. */
const GAP = 12
/** Around the point that is spoken of, so that it stays in sight. */
const PIECE = 20

/**
 * The corner of a box over the board, in shares of what it lies upon, so that it hides the least of what can be tapped (`data-target`)
 * and little of what must be read for that (`data-face`), as near to a point as that allows, the `first` side of it before the other;
 * null elsewhere, and where nothing is large enough.
 */
export function keepClear(box: HTMLElement, x: number, y: number, first: 'above' | 'below'): { left: number; top: number } | null {
  const stage = box.closest('[data-part=stage]')?.getBoundingClientRect()
  const ground = box.offsetParent?.getBoundingClientRect()
  if (!stage || !ground) return null
  const boxes = (what: string) => [...document.querySelectorAll(`[data-part=stage] ${what}`)].map((one) => one.getBoundingClientRect())
  const targets = boxes('[data-target]')
  const faces = boxes('[data-face]')
  const { width, height } = box.getBoundingClientRect()
  const point = { x: ground.left + x * ground.width, y: ground.top + y * ground.height }
  const piece = { left: point.x - PIECE, right: point.x + PIECE, top: point.y - PIECE, bottom: point.y + PIECE }
  // On a phone the question lies over the lower edge of the board.
  const question = document.querySelector('.saying [data-part=status]')?.getBoundingClientRect()
  const floor = Math.min(ground.bottom, question?.top ?? innerHeight)
  const sides = [point.y - GAP - height, point.y + GAP]
  const tops = [...(first === 'above' ? sides : sides.toReversed()), ground.top, (ground.top + floor - height) / 2, floor - height].filter(
    (top) => top >= ground.top && top + height <= floor,
  )
  const lefts = [point.x - width / 2, ground.left, ground.right - width].map((left) =>
    Math.max(stage.left, Math.min(left, stage.right - width)),
  )
  let best: { left: number; top: number; cost: number } | null = null
  for (const top of tops)
    for (const left of lefts) {
      const at = { left, top, right: left + width, bottom: top + height }
      const hidden = (all: Box[]) => all.reduce((sum, one) => sum + overlap(at, one), 0)
      const cost = hidden([...targets, piece]) + hidden(faces) / 2 + Math.hypot(left + width / 2 - point.x, top + height / 2 - point.y)
      if (!best || cost < best.cost) best = { left, top, cost }
    }
  return best && { left: (best.left - ground.left) / ground.width, top: (best.top - ground.top) / ground.height }
}
