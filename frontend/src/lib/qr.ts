/** QR codes for links (ISO/IEC 18004): bytes, error correction M, as many modules as the text needs. */

/** For each version: blocks of the first kind, data bytes in each, blocks of the second kind (one byte more), correction bytes per block. */
const BLOCKS: [number, number, number, number][] = [
  [1, 16, 0, 10],
  [1, 28, 0, 16],
  [1, 44, 0, 26],
  [2, 32, 0, 18],
  [2, 43, 0, 24],
  [4, 27, 0, 16],
  [4, 31, 0, 18],
  [2, 38, 2, 22],
  [3, 36, 2, 22],
  [4, 43, 1, 26],
  [1, 50, 4, 30],
  [6, 36, 2, 22],
  [8, 37, 1, 22],
  [4, 40, 5, 24],
  [5, 41, 5, 24],
]
const LEVEL_M = 0

// Arithmetic in the field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1.
const EXP = new Uint8Array(512)
const LOG = new Uint8Array(256)
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = EXP[power + 255] = value
  LOG[value] = power
  value = (value << 1) ^ (value & 128 ? 0x11d : 0)
}
const times = (one: number, other: number): number => (one && other ? EXP[LOG[one]! + LOG[other]!]! : 0)

/** The correction bytes of a block: the rest of its division by the generator. */
function correction(block: number[], count: number): number[] {
  let generator = [1]
  for (let root = 0; root < count; root++) {
    const next = [...generator, 0]
    generator.forEach((factor, i) => (next[i + 1]! ^= times(factor, EXP[root]!)))
    generator = next
  }
  const rest = [...block, ...new Array<number>(count).fill(0)]
  for (let i = 0; i < block.length; i++) {
    const lead = rest[i]!
    if (lead) generator.forEach((factor, k) => (rest[i + k]! ^= times(factor, lead)))
  }
  return rest.slice(block.length)
}

/** All bytes that the code holds, in the order in which they are drawn. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [first, size, second, more] = BLOCKS[version - 1]!
  const capacity = first * size + second * (size + 1)
  const bits: number[] = []
  const write = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1)
  }
  write(4, 4) // bytes follow
  write(bytes.length, version < 10 ? 8 : 16)
  bytes.forEach((byte) => write(byte, 8))
  write(0, Math.min(4, capacity * 8 - bits.length))
  while (bits.length % 8) bits.push(0)
  const data: number[] = []
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(''), 2))
  for (let pad = 0xec; data.length < capacity; pad ^= 0xfd) data.push(pad)

  const blocks: number[][] = []
  for (let at = 0, n = 0; n < first + second; n++) {
    const length = size + (n < first ? 0 : 1)
    blocks.push(data.slice(at, at + length))
    at += length
  }
  const checks = blocks.map((block) => correction(block, more))
  const woven: number[] = []
  for (let i = 0; i <= size; i++) for (const block of blocks) if (i < block.length) woven.push(block[i]!)
  for (let i = 0; i < more; i++) for (const check of checks) woven.push(check[i]!)
  return woven
}

const MASKS: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => ((r >> 1) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
]

/** Bits behind which a checksum stands: format and version. */
function withChecksum(value: number, bits: number, generator: number): number {
  let rest = value << bits
  for (let i = 31 - Math.clz32(rest); rest >= 1 << bits; i = 31 - Math.clz32(rest)) rest ^= generator << (i - bits)
  return (value << bits) | rest
}

type Grid = (boolean | null)[][]

/** Everything but the data; null where data goes. */
function frame(version: number, mask: number): Grid {
  const size = 17 + 4 * version
  const grid: Grid = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null))
  const set = (row: number, column: number, dark: boolean) => {
    if (row >= 0 && row < size && column >= 0 && column < size) grid[row]![column] = dark
  }
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const) {
    for (let r = -4; r <= 4; r++) {
      for (let c = -4; c <= 4; c++) {
        const ring = Math.max(Math.abs(r), Math.abs(c))
        set(row + r, column + c, ring !== 2 && ring !== 4)
      }
    }
  }
  const places = alignment(version)
  for (const row of places) {
    for (const column of places) {
      const last = size - 7
      if ((row === 6 && (column === 6 || column === last)) || (row === last && column === 6)) continue
      for (let r = -2; r <= 2; r++) for (let c = -2; c <= 2; c++) set(row + r, column + c, Math.max(Math.abs(r), Math.abs(c)) !== 1)
    }
  }
  const format = withChecksum((LEVEL_M << 3) | mask, 10, 0x537) ^ 0x5412
  for (let i = 0; i < 15; i++) {
    const dark = ((format >> i) & 1) === 1
    // Once around the corner at the top left, once split between the two others.
    set(i < 6 ? i : i < 8 ? i + 1 : 8, i < 8 ? 8 : i === 8 ? 7 : 14 - i, dark)
    set(i < 8 ? 8 : size - 15 + i, i < 8 ? size - 1 - i : 8, dark)
  }
  set(size - 8, 8, true)
  if (version >= 7) {
    const text = withChecksum(version, 12, 0x1f25)
    for (let i = 0; i < 18; i++) {
      const dark = ((text >> i) & 1) === 1
      set(Math.floor(i / 3), size - 11 + (i % 3), dark)
      set(size - 11 + (i % 3), Math.floor(i / 3), dark)
    }
  }
  return grid
}

function alignment(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = 10 + 4 * version
  return [6, ...Array.from({ length: count - 1 }, (_, i) => last - (count - 2 - i) * step)]
}

/** How hard a code is to read: long runs, squares of one colour, what looks like a corner, and too much dark or light. */
function penalty(grid: boolean[][]): number {
  const size = grid.length
  let points = 0
  let dark = 0
  for (const turned of [false, true]) {
    const at = (row: number, column: number) => (turned ? grid[column]![row]! : grid[row]![column]!)
    for (let row = 0; row < size; row++) {
      let run = 0
      let line = ''
      for (let column = 0; column < size; column++) {
        run = column > 0 && at(row, column) === at(row, column - 1) ? run + 1 : 1
        if (run === 5) points += 3
        else if (run > 5) points++
        line += at(row, column) ? '1' : '0'
      }
      points += 40 * (line.match(/(?=00001011101|10111010000)/g)?.length ?? 0)
    }
  }
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const here = grid[row]![column]!
      if (here) dark++
      if (row && column && here === grid[row - 1]![column] && here === grid[row]![column - 1] && here === grid[row - 1]![column - 1])
        points += 3
    }
  }
  return points + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10))
}

function draw(words: number[], version: number, mask: number): boolean[][] {
  const grid = frame(version, mask)
  const size = grid.length
  const hides = MASKS[mask]!
  let bit = 0
  // Pairs of columns from the right, up and down in turn; the column of the clock is left out.
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--
    for (let i = 0; i < size; i++) {
      const row = up ? size - 1 - i : i
      for (const column of [right, right - 1]) {
        if (grid[row]![column] !== null) continue
        const dark = bit < words.length * 8 && ((words[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1
        bit++
        grid[row]![column] = dark !== hides(row, column)
      }
    }
  }
  return grid as boolean[][]
}

/** The modules of a text's code, row by row, dark is true; null if the text is too long for us. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  const version = BLOCKS.findIndex(([first, size, second], i) => (first + second) * size + second >= bytes.length + (i < 9 ? 2 : 3)) + 1
  if (version === 0) return null
  const words = codewords(bytes, version)
  const drawn = MASKS.map((_, mask) => draw(words, version, mask))
  return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best))
}

/** One path for all dark modules, each a unit square. */
export const qrPath = (code: boolean[][]): string =>
  code.flatMap((line, row) => runs(line).map(([from, length]) => `M${from} ${row}h${length}v1h-${length}z`)).join('')

function runs(line: boolean[]): [number, number][] {
  const found: [number, number][] = []
  line.forEach((dark, column) => {
    const last = found.at(-1)
    if (dark && last && last[0] + last[1] === column) last[1]++
    else if (dark) found.push([column, 1])
  })
  return found
}
