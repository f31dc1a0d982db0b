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
const START = 2.35

export function layOut(count: number, width: number, height: number): Layout {
  const middle = { x: width / 2, y: height / 2 }
  const [rx, ry] = [width * 0.405, height * 0.395]
  const turns = Math.sqrt(0.25 * (count - 1)) * (0.9 + 0.1 * Math.min(rx, ry) / Math.max(rx, ry))
  const inner = 0.02
  const samples: Point[] = []
  for (let i = 0; i <= SAMPLES; i++) {
    const t = i / SAMPLES
    const r = 1 + (inner - 1) * t ** 0.92
    const angle = START + 2 * Math.PI * turns * t
    const wave = 1 + 0.035 * Math.sin(5 * angle + 1) * r
    samples.push({ x: middle.x + rx * r * wave * Math.cos(angle), y: middle.y + ry * r * wave * Math.sin(angle) })
  }
  const lengths = [0]
  for (let i = 1; i <= SAMPLES; i++) lengths.push(lengths[i - 1]! + Math.hypot(samples[i]!.x - samples[i - 1]!.x, samples[i]!.y - samples[i - 1]!.y))
  const whole = lengths[SAMPLES]!
  const along = (share: number): Point => {
    const wanted = Math.min(1, Math.max(0, share)) * whole
    let low = 0
    let high = SAMPLES
    while (high - low > 1) {
      const half = (low + high) >> 1
      if (lengths[half]! < wanted) low = half
      else high = half
    }
    return samples[high]!
  }
  const at = (place: number) => along(place / (count - 1))
  const places = Array.from({ length: count }, (_, i) => at(i))
  const step = Math.min(...places.flatMap((one, i) => places.slice(i + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y))))
  return {
    width,
    height,
    places,
    step,
    at,
    way: 'M' + samples.filter((_, i) => i % 6 === 0).map(show).join('L'),
    coast: blob(middle, rx * 1.17, ry * 1.19, 0.028),
    shallows: blob(middle, rx * 1.23, ry * 1.265, 0.028),
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
function clearings(samples: Point[], places: Point[], width: number, height: number, middle: Point, rx: number, ry: number, step: number): Point[] {
  const found: Point[] = []
  for (let i = 1; i < 420 && found.length < 46; i++) {
    const point = { x: ((i * 0.754877) % 1) * width, y: ((i * 0.569841) % 1) * height }
    if (((point.x - middle.x) / (rx * 1.1)) ** 2 + ((point.y - middle.y) / (ry * 1.1)) ** 2 > 1) continue
    const free = (other: Point, room: number) => Math.hypot(point.x - other.x, point.y - other.y) > room
    if (samples.every((other, k) => k % 5 !== 0 || free(other, step * 0.2)) && places.every((other) => free(other, step * 0.52)) && found.every((other) => free(other, step * 0.2))) found.push(point)
  }
  return found.sort((one, other) => one.y - other.y)
}
