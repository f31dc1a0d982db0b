import { render } from 'svelte/server'
import { expect, it } from 'vitest'
import type { TableState } from '../src/lib/table.svelte'
import type { MyTable } from '../src/lib/tables'
import People from '../src/parts/People.svelte'

const person = (name: string) => ({ kind: 'person', name, bot: null, out: null })

function shown(seen: number[]): string {
  const seats = [person('Ada'), person('Bo')]
  const table = {
    id: 't',
    seat: 0,
    seats,
    info: { seats },
    presence: ['here', 'here'],
    waitingFor: [],
    seen,
    game: { prefix: 'DW', seatNames: ['sun', 'moon'] },
  }
  const mine = { seats: [{ seat: 0 }], keys: [null, null], watch: null }
  const props = { table: table as unknown as TableState, mine: mine as unknown as MyTable, version: null, onlook: () => {} }
  return render(People, { props }).body
}

it('everybody is shown who has seen cards that were taken back', () => {
  const drawn = shown([0, 3])
  expect(drawn).toMatch(/data-person="1".*data-seen="3"/s)
  expect(drawn.match(/data-seen/g)).toHaveLength(1)
  expect(shown([0, 0])).not.toContain('data-seen')
})
