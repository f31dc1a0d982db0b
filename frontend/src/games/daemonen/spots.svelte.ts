/** The outline of the land, so small that it fits into a line of text: a dot on it says "here" without a coordinate. */
import { around } from './camera'
import { R, hexagonAt, middle } from './layout'
import type { Cell } from './view'

/** In steps, so that what is drawn with it changes seldom. */
const STEP = 2 * R

class Outline {
  path = $state.raw('')
  /** The square that holds all the land: its corner and its side. */
  square = $state.raw({ x: 0, y: 0, side: STEP })
}

export const outline = new Outline()

export function drawOutline(cells: Cell[]): void {
  const spots = cells.map((cell) => middle(cell.q, cell.r))
  outline.path = spots.map((spot) => hexagonAt(spot, R)).join('')
  const box = around(cells)
  const side = Math.ceil(Math.max(box.right - box.left, box.bottom - box.top) / STEP) * STEP
  const corner = (low: number, high: number) => Math.round(((low + high) / 2 - side / 2) / R) * R
  const square = { x: corner(box.left, box.right), y: corner(box.top, box.bottom), side }
  if (JSON.stringify(square) !== JSON.stringify(outline.square)) outline.square = square
}
