/** The window onto the map, and how mouse and fingers move it. */
import { fit, keep, zoom, type Box, type Camera } from './camera'
import type { Point } from './layout'

/** What is seen of the map: functions below change it, the board draws it. */
export class Sight {
  width = $state(0)
  height = $state(0)
  camera = $state.raw<Camera>({ x: 0, y: 0, scale: 1 })
  /** Until the reader takes hold of it, the window shows the whole map. */
  whole = $state(true)
  gliding = $state(true)
  /** The map is in the mouse's grip. */
  gripped = $state(false)
  /** The land and a ring of free cells around it. */
  readonly box: Box
  readonly fitted: Camera
  readonly placed: string
  /** So close that a small map helps. */
  readonly close: boolean

  /** The drawing itself: where pointers are is counted from its corner. */
  svg = $state<SVGSVGElement>()
  fingers: Record<number, Point> = {}
  began: Point | null = null
  /** What was pressed has been dragged: the click that follows means nothing. */
  dragged = false

  constructor(box: () => Box) {
    this.box = $derived(box())
    this.fitted = $derived(this.width && this.height ? fit(this.box, this.width, this.height) : this.camera)
    this.placed = $derived(`translate(${this.camera.x}px, ${this.camera.y}px) scale(${this.camera.scale})`)
    this.close = $derived(this.camera.scale > this.fitted.scale * 1.15)
  }
}

export function look(sight: Sight, next: Camera, glide = false): void {
  sight.whole = false
  sight.gliding = glide
  sight.camera = keep(next, sight.box, sight.width, sight.height)
}

export function fitAll(sight: Sight): void {
  sight.whole = true
  sight.gliding = true
}

export const nearer = (sight: Sight, factor: number): void =>
  look(sight, zoom(sight.camera, factor, { x: sight.width / 2, y: sight.height / 2 }), true)

/** The camera that has a point of the map in the middle of the window. */
export const centre = (sight: Sight, at: Point): Camera => ({
  ...sight.camera,
  x: sight.width / 2 - at.x * sight.camera.scale,
  y: sight.height / 2 - at.y * sight.camera.scale,
})

export function local(sight: Sight, pointer: MouseEvent): Point {
  const frame = sight.svg!.getBoundingClientRect()
  return { x: pointer.clientX - frame.left, y: pointer.clientY - frame.top }
}

export function wheel(sight: Sight, turn: WheelEvent): void {
  turn.preventDefault()
  look(sight, zoom(sight.camera, Math.exp(-turn.deltaY * (turn.deltaMode ? 0.05 : 0.0016)), local(sight, turn)))
}

export function down(sight: Sight, pointer: PointerEvent): void {
  if (pointer.pointerType === 'mouse' && pointer.button !== 0) return
  if (Object.keys(sight.fingers).length === 0) sight.dragged = false
  sight.fingers[pointer.pointerId] = sight.began = local(sight, pointer)
}

/** One finger shifts the map, two zoom it. */
export function drag(sight: Sight, pointer: PointerEvent): void {
  const { camera, fingers, began } = sight
  const before = fingers[pointer.pointerId]
  if (!before || !began) return
  // Let go outside the page: nobody told us.
  if (pointer.pointerType === 'mouse' && !pointer.buttons) return up(sight, pointer)
  const now = local(sight, pointer)
  const others = Object.entries(fingers).filter(([id]) => Number(id) !== pointer.pointerId)
  if (!sight.dragged && others.length === 0 && Math.hypot(now.x - began.x, now.y - began.y) < 7) return
  if (!sight.dragged) sight.svg!.setPointerCapture(pointer.pointerId)
  sight.dragged = true
  sight.gripped = pointer.pointerType === 'mouse'
  fingers[pointer.pointerId] = now
  if (others.length === 0) return look(sight, { ...camera, x: camera.x + now.x - before.x, y: camera.y + now.y - before.y })
  const still = others[0]![1]
  const [was, is] = [Math.hypot(before.x - still.x, before.y - still.y), Math.hypot(now.x - still.x, now.y - still.y)]
  const between = { x: (now.x + still.x) / 2, y: (now.y + still.y) / 2 }
  const shifted = { ...camera, x: camera.x + (now.x - before.x) / 2, y: camera.y + (now.y - before.y) / 2 }
  if (was > 8) look(sight, zoom(shifted, is / was, between))
}

export function up(sight: Sight, pointer: PointerEvent): void {
  delete sight.fingers[pointer.pointerId]
  sight.gripped = false
}
