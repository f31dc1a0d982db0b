/** Figures of the laboratory as they are told. */
import { expect, it } from 'vitest'
import { compared, isShare, settingInWords, text, told, type LabResult } from '../src/lab/lab'

it('tells shares in per cent and everything else as it is', () => {
  expect(told('seat.sun', 0.5349)).toBe('53.5%')
  expect(told('length.turns', 26.789)).toBe('26.8')
  expect(told('length.turns', -1.234, true)).toBe('-1.23')
  expect(told('end.draw', 0.1, true)).toBe('+10%')
  expect(isShare('open.until')).toBe(true)
  expect(isShare('open.drama')).toBe(false)
})

it('names a change by what it changes', () => {
  expect(settingInWords('nowhere', 'sun.5<=4')).toBe('sun: 5< = 4')
  expect(settingInWords('nowhere', 'a=1 b=2')).toBe('a=1 b=2')
  expect(text(['2<', '3>'])).toBe('2<+3>')
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
  expect(row!.high - row!.low).toBeCloseTo(2 * 1.96 * Math.sqrt(0.08))
})
