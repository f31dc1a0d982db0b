/** Where things lie on the island: a path that winds from the harbour to the middle, for any number of places. */

export interface Point {
  x: number
  y: number
}

export interface Layout {
  width: number
  height: number
  places: Point[]
  /** Between two places on the path, about. */
  step: number
  /** Of a place, and of a druid: as large as there is room. */
  radius: number
  druid: number
  /** The whole path, closely sampled, as an SVG path. */
  way: string
  coast: string
  shallows: string
  /** Where a tree or a hill may stand. */
  woods: Point[]
  /** Parts of the path: `at(1.5)` is halfway between the places 1 and 2. */
  at(place: number): Point
}

const SAMPLES = 900
/** So much of a druid's height is above his middle. */
const HEAD = 0.56
const START = 2.35

interface Curve {
  samples: Point[]
  /** The point at a share of the whole length. */
  along(share: number): Point
}

/** A spiral from the coast to the middle, with a slight wave. */
function spiral(middle: Point, rx: number, ry: number, turns: number, bend: number, count: number): Curve {
  const samples = Array.from({ length: count + 1 }, (_, i) => {
    const r = 1 - (i / count) ** bend
    const angle = START + (2 * Math.PI * turns * i) / count
    const wave = 1 + 0.03 * Math.sin(5 * angle + 1) * r
    return { x: middle.x + rx * r * wave * Math.cos(angle), y: middle.y + ry * r * wave * Math.sin(angle) }
  })
  const lengths = [0]
  for (let i = 1; i <= count; i++)
    lengths.push(lengths[i - 1]! + Math.hypot(samples[i]!.x - samples[i - 1]!.x, samples[i]!.y - samples[i - 1]!.y))
  const along = (share: number): Point => {
    const wanted = Math.min(1, Math.max(0, share)) * lengths[count]!
    let low = 0
    let high = count
    while (high - low > 1) {
      const half = (low + high) >> 1
      if (lengths[half]! < wanted) low = half
      else high = half
    }
    const part = (wanted - lengths[low]!) / Math.max(1e-9, lengths[high]! - lengths[low]!)
    const [from, to] = [samples[low]!, samples[high]!]
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
  }
  return { samples, along }
}

const placesOn = (curve: Curve, count: number): Point[] => Array.from({ length: count }, (_, i) => curve.along(i / (count - 1)))

/** The smallest distance between two places. */
function room(places: Point[]): number {
  let least = Infinity
  for (let i = 1; i < places.length; i++)
    for (let k = 0; k < i; k++) least = Math.min(least, Math.hypot(places[i]!.x - places[k]!.x, places[i]!.y - places[k]!.y))
  return least
}

/** Of many spirals that which leaves the most room between its places: looked for in wide steps, then closer and closer around the best. */
function widest(middle: Point, rx: number, ry: number, count: number): Curve {
  const best = { turns: 2, bend: 1, room: 0 }
  const look = (turns: number, bend: number): void => {
    const found = room(placesOn(spiral(middle, rx, ry, turns, bend, 80), count))
    if (found > best.room) Object.assign(best, { turns, bend, room: found })
  }
  for (let turns = 1; turns < 4; turns += 0.3) for (const bend of [0.9, 1.35, 1.8, 2.25]) look(turns, bend)
  for (let step = 0.5; step > 0.1; step /= 2) {
    const { turns, bend } = best
    for (const i of [-1, 0, 1]) for (const k of [-1, 0, 1]) look(turns + 0.3 * i * step, bend + 0.45 * k * step)
  }
  return spiral(middle, rx, ry, best.turns, best.bend, SAMPLES)
}

/** How high the middle of a druid is drawn: so far above a point, but never with his head beyond the upper edge. */
export const raised = (point: Point, rise: number, druid: number): number => Math.max(druid * HEAD, point.y - rise)

export function layOut(count: number, width: number, height: number): Layout {
  const small = width < 480
  // Above the path is room for the heads of those who stand there, below it for what is written at a place.
  const [head, foot] = [Math.min(small ? 36 : 56, height * 0.15), Math.max(height * 0.088 - 4, 0)]
  const [rx, ry] = [width * 0.405, (height - head - foot) / 2 / 1.03]
  const middle = { x: width / 2, y: (height + head - foot) / 2 }
  const curve = widest(middle, rx, ry, count)
  const samples = curve.samples
  const at = (place: number) => curve.along(place / (count - 1))
  const places = placesOn(curve, count)
  const step = room(places)
  return {
    width,
    height,
    places,
    step,
    radius: Math.min(step * 0.34, small ? 18 : 29),
    druid: Math.min(step * 0.7, small ? 38 : 58),
    at,
    way:
      'M' +
      samples
        .filter((_, i) => i % 6 === 0)
        .map(show)
        .join('L'),
    coast: blob(middle, rx * 1.12, ry * 1.13, 0.02),
    shallows: blob(middle, rx * 1.17, ry * 1.19, 0.02),
    woods: clearings(samples, places, width, height, middle, rx, ry, step),
  }
}

const show = (point: Point): string => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`

/** A closed, wavy outline. */
function blob(middle: Point, rx: number, ry: number, wave: number): string {
  const points = Array.from({ length: 72 }, (_, i) => {
    const angle = (i / 72) * 2 * Math.PI
    const r = 1 + wave * (Math.sin(3 * angle + 0.6) + 0.8 * Math.sin(7 * angle + 2) + 0.5 * Math.sin(13 * angle))
    return { x: middle.x + rx * r * Math.cos(angle), y: middle.y + ry * r * Math.sin(angle) }
  })
  return 'M' + points.map(show).join('L') + 'Z'
}

/** Points inland that are far from the path and from each other: the same ones every time. */
function clearings(
  samples: Point[],
  places: Point[],
  width: number,
  height: number,
  middle: Point,
  rx: number,
  ry: number,
  step: number,
): Point[] {
  const found: Point[] = []
  for (let i = 1; i < 420 && found.length < 46; i++) {
    const point = { x: ((i * 0.754877) % 1) * width, y: ((i * 0.569841) % 1) * height }
    if (((point.x - middle.x) / (rx * 1.06)) ** 2 + ((point.y - middle.y) / (ry * 1.06)) ** 2 > 1) continue
    const free = (other: Point, room: number) => Math.hypot(point.x - other.x, point.y - other.y) > room
    if (
      samples.every((other, k) => k % 5 !== 0 || free(other, step * 0.2)) &&
      places.every((other) => free(other, step * 0.5)) &&
      found.every((other) => free(other, step * 0.2))
    )
      found.push(point)
  }
  return found.sort((one, other) => one.y - other.y)
}
