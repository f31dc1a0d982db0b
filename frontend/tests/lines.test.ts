import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const MOST = 140
/** Generated, and the boards are read by their own. */
const OTHERS = /\/games\/|protocol\.ts$/
/** Drawings are not broken in the middle. */
const DRAWING = /^\s*(\w+: )?['"]M[-\d]|^\s*d="/

it('no line is longer than a page is wide', () => {
  const folder = join(import.meta.dirname, '..')
  const files = ['src', 'tests', 'offline'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true }).map((file) => join(folder, name, String(file))),
  )
  const long = files
    .filter((file) => /\.(ts|js|svelte|css|html)$/.test(file) && !OTHERS.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, i) => (line.length > MOST && !DRAWING.test(line) ? [`${file}:${i + 1}`] : [])),
    )
  expect(long).toEqual([])
})
