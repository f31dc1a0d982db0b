/** SHA-256, for checking the shuffle. Written out because `crypto.subtle` is missing on plain http in a local network. */

const K = new Uint32Array(64)
const START = new Uint32Array(8)
{
  // The constants are the first bits of the fractional parts of cube and square roots of the first primes.
  const fraction = (x: number) => Math.floor((x - Math.floor(x)) * 2 ** 32)
  let found = 0
  for (let n = 2; found < 64; n++) {
    let prime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
    if (!prime) continue
    if (found < 8) START[found] = fraction(Math.sqrt(n))
    K[found++] = fraction(Math.cbrt(n))
  }
}

const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by))

export function sha256(bytes: Uint8Array): string {
  const length = ((bytes.length + 8) >> 6) * 64 + 64
  const padded = new Uint8Array(length)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const data = new DataView(padded.buffer)
  data.setUint32(length - 8, Math.floor((bytes.length * 8) / 2 ** 32))
  data.setUint32(length - 4, bytes.length * 8)
  const hash = Uint32Array.from(START)
  const w = new Uint32Array(64)
  for (let block = 0; block < length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getUint32(block + i * 4)
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15]!, w[i - 2]!]
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10)
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
    }
    let [a, b, c, d, e, f, g, h] = Array.from(hash) as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
    }
    ;[a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i]! += value))
  }
  return Array.from(hash, (value) => value.toString(16).padStart(8, '0')).join('')
}

/** What a server publishes of a secret (hex) before the game. */
export function fingerprint(secret: string): string {
  const prefix = new TextEncoder().encode('drunemeton shuffle\n')
  const bytes = (secret.match(/../g) ?? []).map((pair) => parseInt(pair, 16))
  return sha256(Uint8Array.from([...prefix, ...bytes]))
}

/** Whether a revealed secret is the one that was committed to. */
export const isSecretOf = (commitment: string, secret: string): boolean => fingerprint(secret) === commitment
