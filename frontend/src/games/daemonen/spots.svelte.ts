/** The outline of the land, so small that it fits into a line of text: a dot on it says "here" without a coordinate. */
import { R, hexagonAt, middle } from './layout'
import type { Cell } from './view'

class Outline {
  path = $state.raw('')
  /** What holds all the land, and no more: a picture with room at its side would stand away from the full stop behind it. */
  box = $state.raw({ x: 0, y: 0, width: R, height: R })
}

export const outline = new Outline()

/** In steps, so that what is drawn with it changes seldom. */
export function drawOutline(cells: Cell[]): void {
  const spots = cells.map((cell) => middle(cell.q, cell.r))
  outline.path = spots.map((spot) => hexagonAt(spot, R)).join('')
  const [xs, ys] = [spots.map((spot) => spot.x), spots.map((spot) => spot.y)]
  const low = (all: number[]) => Math.floor(Math.min(...all) / R - 1) * R
  const high = (all: number[]) => Math.ceil(Math.max(...all) / R + 1) * R
  const found = { x: low(xs), y: low(ys), width: high(xs) - low(xs), height: high(ys) - low(ys) }
  if (JSON.stringify(found) !== JSON.stringify(outline.box)) outline.box = found
}
