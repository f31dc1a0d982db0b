/** Figures of the laboratory as they are told. */
import { expect, it } from 'vitest'
import { effectOf, type Effects } from '../src/lib/effects'
import type { GameInfo, OptionText } from '../src/lib/protocol'
import { experiment, speak } from '../src/lib/words.svelte'
import { ApiError } from '../src/lib/api'
import { asItIs, findings, playedBy } from '../src/lab/says'
import { asked, compared, edited, isShare, settingName, told, valueText, wrong, type LabResult } from '../src/lab/lab'

it('tells shares in per cent and everything else as it is', () => {
  expect(told('seat.sun', 0.5349)).toBe('53.5%')
  expect(told('length.turns', 26.789)).toBe('26.8')
  expect(told('length.turns', -1.234, true)).toBe('-1.23')
  expect(told('end.draw', 0.1, true)).toBe('+10%')
  expect(isShare('open.until')).toBe(true)
  expect(isShare('open.drama')).toBe(true)
  expect(isShare('open.lead changes')).toBe(false)
})

it('names a change by what it changes', () => {
  expect(settingName('nowhere', 'sun.5<=4')).toBe('sun: 5< = 4')
  expect(settingName('nowhere', 'a=1 b=2')).toBe('a=1 b=2')
  expect(valueText(['2<', '3>'])).toBe('2<+3>')
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

it('says of each setting what is certain, what was asked for first, and who played', async () => {
  await speak('en')
  await experiment()
  const figure = (mean: number) => ({ mean, low: mean - 1, high: mean + 1, spread: 1 })
  const gap = (measure: string, mean: number) => ({ setting: 'win=30', measure, mean, low: mean - 1, high: mean + 1, chance: 0 })
  const [before, after] = [
    { 'length.turns': 40, 'end.points': 0.5 },
    { 'length.turns': 30, 'end.points': 0.9 },
  ].map((row) => Object.fromEntries(Object.entries(row).map(([name, mean]) => [name, figure(mean)])))
  const settings = ['default', 'jump=line', 'win=30'].map((name) => ({ name, players: ['greedy', 'greedy', 'level-5'] }))
  const result = {
    experiment: { game: 'daemonen', settings },
    figures: [before, before, after],
    findings: [gap('use.moving', 3), gap('end.points', 0.4), gap('length.turns', -10)],
  } as unknown as LabResult
  const daemonen = { name: 'daemonen' } as GameInfo
  const [only, ...rest] = findings(daemonen, result)
  expect(rest).toEqual([])
  expect(only!.setting).toBe('Points that win = 30')
  expect(only!.sentences).toHaveLength(2)
  expect(only!.sentences[0]).toContain('games last 25% fewer turns, 30 instead of 40.')
  expect(only!.sentences[1]).toContain('more games end so: the points; 90% instead of 50%.')
  expect(playedBy(result)).toContain('played by 2 × greedy (1 step), 1 × level 5')
})

it('tells of another reading what it does to length, balance and ends', async () => {
  await speak('en')
  const share = (base: number, now: number, certain: boolean) => ({ mean: now - base, now, base, certain })
  const greedy = {
    deals: 200,
    length: share(0, -0.21, true),
    starter: share(0.52, 0.55, false),
    ends: [{ end: 'points', ...share(0.7, 0.96, true) }],
  }
  const known = { daemonen: { demons_return: { false: { greedy } } } } as unknown as Effects
  const option = { name: 'demons_return', kind: 'bool', default: true } as OptionText
  const told = effectOf(known, 'daemonen', option, true)
  expect(told).toContain(
    'in 200 games of bots: games 21% shorter; “the points” ends 96% of games instead of 70%; no certain change of balance.',
  )
  greedy.ends = []
  greedy.length.certain = false
  expect(effectOf(known, 'daemonen', option, false)).toContain('no certain change of length, balance, or the way games end')
  expect(effectOf({}, 'daemonen', option, false)).toBe('')
})

it('says in words what cannot be played, and of which entry', async () => {
  await speak('de')
  await experiment()
  const params = { code: 'range', value: 500, low: 0, high: 127 }
  const said = wrong('daemonen', new ApiError(422, 'bad_option', 'components, portals: no', 'portals', params))
  expect(said).toContain('Portale')
  expect(said).toContain('500 ist keine ganze Zahl von 0 bis 127')
  expect(wrong('daemonen', new ApiError(409, 'lab_busy', ''))).toContain('Ein anderer Versuch läuft')
})

it('tells of two who are unlike what decides a game', async () => {
  await speak('en')
  await experiment()
  const figure = { mean: 0.8, low: 0.7, high: 0.9, spread: 0.1 }
  const measures = ['player.1', 'length.minutes', 'length.turns', 'starter.wins', 'open.until', 'open.lead changes']
  const made = {
    experiment: { game: 'druidenwalzer', settings: [{ name: 'default', players: ['level-3', 'greedy'] }] },
    figures: [Object.fromEntries(measures.map((name) => [name, figure]))],
    luck: [{ skill: 0.36, seat: 0.01, deal: 0.2, rest: 0.43 }],
  } as unknown as LabResult
  const told = asItIs(made).join(' ')
  expect(told).toContain('80% (70% to 90%)')
  expect(told).toContain('skill for 36%')
  expect(asItIs({ ...made, luck: [null] }).join(' ')).not.toContain('skill')
})
