/** Where everything lies: ten places on an oval, the reader's own row at the bottom, crowns of trees around it. */
import { cultOf, type Seat } from './view'

export interface Point {
  x: number
  y: number
}

export interface Place extends Point {
  name: string
  /** Its number on the oval, clockwise. */
  index: number
  /** +1 for the row at the bottom, -1 for the one opposite: the way outwards. */
  out: 1 | -1
  crown: Point
  druid: Point
  number: Point
}

export interface Layout {
  width: number
  height: number
  middle: Point
  card: { width: number; height: number }
  crownRadius: number
  druidHeight: number
  numberSize: number
  places: Map<string, Place>
  /** The places in clockwise order. */
  ring: Place[]
}

interface Measures {
  width: number
  height: number
  step: number
  card: number
  rise: number
  crown: number
  reach: number
  druid: number
  number: number
}

const WIDE: Measures = { width: 1000, height: 620, step: 188, card: 84, rise: 132, crown: 52, reach: 92, druid: 62, number: 46 }
const TALL: Measures = { width: 390, height: 548, step: 74, card: 58, rise: 150, crown: 34, reach: 68, druid: 40, number: 30 }
const CARD_RATIO = 1.36

/** `oval`: the boards clockwise from above. `own`: who sits at the bottom. */
export function layOut(oval: string[], own: Seat, tall: boolean): Layout {
  const m = tall ? TALL : WIDE
  const count = oval.length / 2
  const step = count === 5 ? m.step : Math.min(m.step * 1.2, (m.width - m.step) / Math.max(1, count - 1))
  const middle = { x: m.width / 2, y: m.height / 2 }
  const start = oval.indexOf(cultOf(own))
  const ring: Place[] = []
  for (let i = 0; i < oval.length; i++) {
    // Clockwise from the own cult board: along the bottom row to the left, then along the other to the right.
    const index = (start + i) % oval.length
    const bottom = i < count
    const column = bottom ? count - 1 - i : i - count
    const out = bottom ? 1 : -1
    const u = count > 1 ? (column - (count - 1) / 2) / ((count - 1) / 2) : 0
    const x = middle.x + (column - (count - 1) / 2) * step
    const y = middle.y + out * m.rise * (1 - 0.26 * Math.abs(u) ** 2.2)
    const crown = { x: x + u * m.crown * 0.12, y: y + out * m.reach }
    ring[index] = {
      name: oval[index]!,
      index,
      x,
      y,
      out,
      crown,
      druid: { x: crown.x - m.crown * 0.5, y: crown.y + out * m.crown * 0.12 },
      number: { x: crown.x + m.crown * 0.38, y: crown.y + out * m.crown * 0.16 },
    }
  }
  return {
    width: m.width,
    height: m.height,
    middle,
    card: { width: m.card, height: m.card * CARD_RATIO },
    crownRadius: m.crown,
    druidHeight: m.druid,
    numberSize: m.number,
    places: new Map(ring.map((place) => [place.name, place])),
    ring,
  }
}

/** The point at `t` on the oval, where whole numbers are places: a smooth curve through all of them. */
export function onOval(layout: Layout, t: number, inwards = 0): Point {
  const { ring, middle } = layout
  const n = ring.length
  const i = Math.floor(t)
  const f = t - i
  const at = (k: number) => ring[(((i + k) % n) + n) % n]!
  const [a, b, c, d] = [at(-1), at(0), at(1), at(2)]
  const blend = (p: number, q: number, r: number, s: number) =>
    0.5 * (2 * q + (r - p) * f + (2 * p - 5 * q + 4 * r - s) * f * f + (3 * q - p - 3 * r + s) * f * f * f)
  const point = { x: blend(a.x, b.x, c.x, d.x), y: blend(a.y, b.y, c.y, d.y) }
  return { x: point.x + (middle.x - point.x) * inwards, y: point.y + (middle.y - point.y) * inwards }
}

const round = (value: number) => Math.round(value * 10) / 10

/** The way from one place to another along the oval, as a path: clockwise for `<`. */
export function arc(layout: Layout, from: string, to: string, way: '<' | '>', inwards = 0): string {
  const { start, turns } = stretch(layout, from, to, way)
  const steps = Math.max(8, Math.round(Math.abs(turns) * 8))
  const points = Array.from({ length: steps + 1 }, (_, k) =>
    onOval(layout, start + (turns * k) / steps, inwards * Math.sin((Math.PI * k) / steps)),
  )
  return points.map((point, k) => `${k ? 'L' : 'M'}${round(point.x)} ${round(point.y)}`).join('')
}

/** Where on the oval a way begins, and how many places it goes on (negative: counter-clockwise). */
export function stretch(layout: Layout, from: string, to: string, way: '<' | '>'): { start: number; turns: number } {
  const n = layout.ring.length
  const start = layout.places.get(from)?.index ?? 0
  const end = layout.places.get(to)?.index ?? 0
  const clockwise = (end - start + n) % n || n
  return { start, turns: way === '<' ? clockwise : clockwise - n || -n }
}

export function ovalPath(layout: Layout, inwards = 0): string {
  const n = layout.ring.length * 8
  const points = Array.from({ length: n }, (_, k) => onOval(layout, k / 8, inwards))
  return points.map((point, k) => `${k ? 'L' : 'M'}${round(point.x)} ${round(point.y)}`).join('') + 'Z'
}
