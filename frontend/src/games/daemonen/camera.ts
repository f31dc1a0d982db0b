/** Where the map is seen from: a shift and a scale, and how they change. */
import { R, middle, type Point } from './layout'
import type { Cell } from './view'

export interface Camera {
  x: number
  y: number
  scale: number
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const SMALLEST = 0.16
const LARGEST = 2.6

/** Room for the buttons: beside the map where the window is wide, above it where it is narrow. */
const BUTTONS = 58

/** The land, and a ring of free cells around it. */
export function around(cells: Cell[]): Box {
  const spots = cells.map((cell) => middle(cell.q, cell.r))
  const room = R * 2.65
  return {
    left: Math.min(...spots.map((spot) => spot.x)) - room,
    right: Math.max(...spots.map((spot) => spot.x)) + room,
    top: Math.min(...spots.map((spot) => spot.y)) - room,
    bottom: Math.max(...spots.map((spot) => spot.y)) + room,
  }
}

/** The whole map, as large as it can be. */
export function fit(box: Box, width: number, height: number): Camera {
  const wide = width > 600
  const [w, h] = wide ? [width - 2 * BUTTONS, height] : [width, height - BUTTONS]
  const scale = Math.min(1.25, w / (box.right - box.left), h / (box.bottom - box.top))
  return {
    scale,
    x: width / 2 - ((box.left + box.right) / 2) * scale,
    y: (wide ? 0 : BUTTONS) + h / 2 - ((box.top + box.bottom) / 2) * scale,
  }
}

/** Closer or farther, with one point of the screen staying where it is. */
export function zoom(camera: Camera, factor: number, at: Point): Camera {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, camera.scale * factor))
  const change = scale / camera.scale
  return { scale, x: at.x - (at.x - camera.x) * change, y: at.y - (at.y - camera.y) * change }
}

export const toWorld = (camera: Camera, at: Point): Point => ({ x: (at.x - camera.x) / camera.scale, y: (at.y - camera.y) / camera.scale })
export const toScreen = (camera: Camera, at: Point): Point => ({ x: at.x * camera.scale + camera.x, y: at.y * camera.scale + camera.y })

/** The map never leaves the window altogether. */
export function keep(camera: Camera, box: Box, width: number, height: number): Camera {
  const room = 90
  const x = Math.min(width - room - box.left * camera.scale, Math.max(room - box.right * camera.scale, camera.x))
  const y = Math.min(height - room - box.top * camera.scale, Math.max(room - box.bottom * camera.scale, camera.y))
  return { scale: camera.scale, x, y }
}
