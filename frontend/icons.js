/** The icon as PNG, drawn from public/icon.svg: circles and cubic curves are all that this little painter knows. */
import { deflateSync } from 'node:zlib'

/** What the drawing consists of, from back to front: a distance from the origin or from a curve, and a colour. */
function read(svg) {
  const value = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  const shapes = []
  const group = /<g ([^>]*)>/.exec(svg)?.[1] ?? ''
  for (const [tag, kind] of svg.matchAll(/<(circle|path)\b[^>]*>/g)) {
    const [fill, stroke] = ['fill', 'stroke'].map((name) => value(tag, name) ?? (kind === 'path' ? value(group, name) : undefined))
    const width = Number(value(tag, 'stroke-width') ?? value(group, 'stroke-width') ?? 1)
    if (kind === 'circle') {
      const radius = Number(value(tag, 'r'))
      if (fill && fill !== 'none') shapes.push({ colour: rgb(fill), covers: (x, y) => Math.hypot(x, y) <= radius })
      if (stroke) shapes.push({ colour: rgb(stroke), covers: (x, y) => Math.abs(Math.hypot(x, y) - radius) <= width / 2 })
    } else {
      const turn = (Number(/rotate\(([\d.]+)\)/.exec(tag)?.[1] ?? 0) * Math.PI) / 180
      const line = flatten(value(tag, 'd')).map(([x, y]) => [
        x * Math.cos(turn) - y * Math.sin(turn),
        x * Math.sin(turn) + y * Math.cos(turn),
      ])
      const pieces = piecesOf(line)
      const far = Math.max(...line.map(([x, y]) => Math.hypot(x, y))) + width / 2
      shapes.push({ colour: rgb(stroke), covers: (x, y) => x * x + y * y < far * far && near(pieces, x, y, width / 2) })
    }
  }
  return shapes
}

const rgb = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16))

/** A path of one move and cubic curves as a line of many points. */
function flatten(path) {
  const numbers = path.match(/-?[\d.]+/g).map(Number)
  let [x, y] = numbers
  const points = [[x, y]]
  for (let i = 2; i + 5 < numbers.length; i += 6) {
    const [a, b, c, d, e, f] = numbers.slice(i, i + 6)
    for (let step = 1; step <= 14; step++) {
      const t = step / 14
      const u = 1 - t
      points.push([
        u ** 3 * x + 3 * u * u * t * a + 3 * u * t * t * c + t ** 3 * e,
        u ** 3 * y + 3 * u * u * t * b + 3 * u * t * t * d + t ** 3 * f,
      ])
    }
    ;[x, y] = [e, f]
  }
  return points
}

/** The line in pieces: where each begins, how far it goes, and the reciprocal of its squared length. */
function piecesOf(line) {
  const pieces = line.slice(1).flatMap(([x, y], i) => {
    const [ax, ay] = line[i]
    return [ax, ay, x - ax, y - ay, 1 / ((x - ax) ** 2 + (y - ay) ** 2 || 1)]
  })
  return Float64Array.from(pieces)
}

function near(pieces, x, y, reach) {
  for (let i = 0; i < pieces.length; i += 5) {
    const [px, py] = [x - pieces[i], y - pieces[i + 1]]
    const t = Math.max(0, Math.min(1, (px * pieces[i + 2] + py * pieces[i + 3]) * pieces[i + 4]))
    const [ox, oy] = [px - t * pieces[i + 2], py - t * pieces[i + 3]]
    if (ox * ox + oy * oy <= reach * reach) return true
  }
  return false
}

/** The drawing in so many pixels; a maskable one fills its square, with the drawing where no mask reaches. */
export function png(svg, size, maskable = false) {
  const shapes = read(svg)
  const ground = maskable ? shapes[0].colour : null
  const scale = (maskable ? 80 : 64) / size
  const fine = 3
  const rows = Buffer.alloc(size * (size * 4 + 1))
  for (let py = 0; py < size; py++) {
    for (let px = 0; px < size; px++) {
      const sum = [0, 0, 0, 0]
      for (let sample = 0; sample < fine * fine; sample++) {
        const x = (px + ((sample % fine) + 0.5) / fine - size / 2) * scale
        const y = (py + (Math.floor(sample / fine) + 0.5) / fine - size / 2) * scale
        const colour = shapes.findLast((shape) => shape.covers(x, y))?.colour ?? ground
        if (!colour) continue
        for (let i = 0; i < 3; i++) sum[i] += colour[i]
        sum[3]++
      }
      const at = py * (size * 4 + 1) + 1 + px * 4
      for (let i = 0; i < 3; i++) rows[at + i] = sum[3] ? Math.round(sum[i] / sum[3]) : 0
      rows[at + 3] = Math.round((255 * sum[3]) / (fine * fine))
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, check])
}

function crc(bytes) {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
