/** The outline of the land, so small that it fits into a line of text: a dot on it says "here" without a coordinate. */
import { R, hexagonAt, middle } from './layout'
import type { Cell } from './view'

/** In steps, so that what is drawn with it changes seldom. */
const STEP = 4 * R

class Outline {
  path = $state.raw('')
  /** Half the side of the square around the middle that holds all the land. */
  reach = $state(STEP)
}

export const outline = new Outline()

export function drawOutline(cells: Cell[]): void {
  const spots = cells.map((cell) => middle(cell.q, cell.r))
  outline.path = spots.map((spot) => hexagonAt(spot, R)).join('')
  outline.reach = Math.ceil((Math.max(...spots.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)])) + 2 * R) / STEP) * STEP
}
