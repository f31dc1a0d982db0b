/** Figures of the laboratory as they are told. */
import { expect, it } from 'vitest'
import { asked, compared, edited, isShare, settingName, text, told, type LabResult } from '../src/lab/lab'

it('tells shares in per cent and everything else as it is', () => {
  expect(told('seat.sun', 0.5349)).toBe('53.5%')
  expect(told('length.turns', 26.789)).toBe('26.8')
  expect(told('length.turns', -1.234, true)).toBe('-1.23')
  expect(told('end.draw', 0.1, true)).toBe('+10%')
  expect(isShare('open.until')).toBe(true)
  expect(isShare('open.drama')).toBe(false)
})

it('names a change by what it changes', () => {
  expect(settingName('nowhere', 'sun.5<=4')).toBe('sun: 5< = 4')
  expect(settingName('nowhere', 'a=1 b=2')).toBe('a=1 b=2')
  expect(text(['2<', '3>'])).toBe('2<+3>')
})

it('tries numbers each by themselves, and all edits of one table together', () => {
  const changes = [
    { name: 'demons', value: 6 },
    { name: 'sun.5<', value: 5 },
    { name: 'demons', value: 24 },
    { name: 'sun.1<', value: 1 },
  ]
  expect(asked('nowhere', changes)).toEqual([
    { set: 'demons', to: [6] },
    { set: 'demons', to: [24] },
    { together: { 'sun.5<': 5, 'sun.1<': 1 }, name: 'sun: 5< 5, 1< 1' },
  ])
  const printed = { demons: 12, sun: { '5<': 3, '1<': 3, '2<': 3 }, places: [{ parts: 0 }, { parts: 1 }] }
  expect(edited(printed, [...changes, { name: 'places.1.parts', value: -2 }])).toEqual({
    demons: 12,
    sun: { '5<': 5, '1<': 1, '2<': 3 },
    places: [{ parts: 0 }, { parts: -2 }],
  })
  expect(printed.sun['5<']).toBe(3)
})

it('compares two results without pairing their deals', () => {
  const figure = (mean: number) => ({ mean, low: 0, high: 0, spread: 2 })
  const made = (mean: number) =>
    ({
      deals: 100,
      measures: ['length.turns', 'end.draw'],
      figures: [{ 'length.turns': figure(mean), 'end.draw': figure(0) }],
    }) as unknown as LabResult
  const [row, ...rest] = compared(made(20), made(21))
  expect(rest).toEqual([])
  expect(row).toMatchObject({ measure: 'length.turns', mean: 1 })
  expect(row!.certain).toBe(false)
  expect(compared(made(20), made(22))[0]!.certain).toBe(true)
  expect(row!.high - row!.low).toBeCloseTo(2 * 1.96 * Math.sqrt(0.08))
})
