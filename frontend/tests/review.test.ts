/** What is read off a review: lines to draw, shares to tell, and how good a tried move is. */
import { expect, test } from 'vitest'
import { recordIn } from '../src/lib/files'
import {
  chances,
  firstOf,
  loss,
  parted,
  points,
  saidTogether,
  shares,
  signed,
  thinned,
  verdict,
  type Balance,
  type Decision,
  type Moment,
  type Review,
  type Why,
} from '../src/review/data'

const entry = (step: number, value: number) => ({ step, value, own: 0, others: 0, luck: 0, rest: 0 })
const line: Balance = {
  seat: 0,
  start: 0.5,
  own: -0.2,
  others: 0.004,
  luck: 0.3,
  rest: 0,
  end: 1,
  accuracy: 80,
  decisions: 2,
  kinds: {},
  entries: [entry(1, 0.4), entry(2, 1)],
}
const point = (step: number, values: number[]) => ({ step, seat: null, turn: null, values, within: 0, chance: false })
const review = (whole: boolean): Review => ({
  game: 'g',
  seats: 2,
  seat_names: ['a', 'b'],
  end: 'e',
  places: [1, 2],
  whole,
  graph: [point(0, [0.6, 0.4]), point(1, [0.7, 0.3]), point(2, [1, 0])],
  lines: whole ? [line] : [],
  decisions: [],
  moments: [],
})
const decision: Decision = {
  step: 1,
  seat: 0,
  kind: 'k',
  move: 'c',
  best: 'b',
  given: 0.2,
  within: 0,
  stake: 0.3,
  moves: [
    { move: 'b', value: 0.6, within: 0 },
    { move: 'a', value: 0.58, within: 0 },
    { move: 'c', value: 0.4, within: 0 },
  ],
  better: [],
  had_known: null,
}

test('a first graph shows what who was on turn knew, the account what the seat itself knew', () => {
  expect(chances(review(false), 0)).toEqual([0.6, 0.7, 1])
  expect(chances(review(true), 0)).toEqual([0.5, 0.4, 1])
})
test('the weightiest share is told first, and what is less than a point is not told', () => {
  expect(shares(line).map((share) => share.part)).toEqual(['luck', 'own'])
})
test('points are hundredths, with a sign and never minus nothing', () => {
  expect(points(-0.001)).toBe(0)
  expect(Object.is(points(-0.001), -0)).toBe(false)
  expect([signed(0.144, 'en'), signed(-0.144, 'en'), signed(0, 'en')]).toEqual(['+14', '−14', '0'])
})
test('a tried move is measured against the best', () => {
  expect(decision.moves.map(({ move }) => verdict(decision, move))).toEqual(['best', 'good', 'mistake'])
  const alike = {
    ...decision,
    moves: [...decision.moves, { move: 'd', value: decision.moves.find(({ move }) => move === decision.best)!.value, within: 0 }],
  }
  expect(verdict(alike, 'd')).toBe('equal')
  expect(loss(alike, 'd')).toBe(0)
})

test('a long line is drawn by the mean of a few steps, from its first to its last', () => {
  expect(thinned([0.5, 0.4, 1], 1)).toEqual([
    { step: 0, value: 0.5 },
    { step: 1, value: 0.4 },
    { step: 2, value: 1 },
  ])
  expect(thinned([0.5, 0, 1, 0.25, 0.75, 1, 0], 2)).toEqual([
    { step: 0, value: 0.5 },
    { step: 1.5, value: 0.5 },
    { step: 3.5, value: 0.5 },
    { step: 5, value: 1 },
    { step: 6, value: 0 },
  ])
})
test('a stroke of luck is told in two, without the result that all know', () => {
  const event = (kind: string, part = '') => ({ kind, rule: null, part })
  const told = [event('taken', 'oak'), event('shown', 'sun'), event('shown', 'oak'), event('moved'), event('last'), event('ended')]
  const chance = [event('shown', 'sun'), event('shown', 'oak'), event('last'), event('ended')]
  expect(parted(told, chance)).toEqual({ done: [event('taken', 'oak'), event('moved')], chance: chance.slice(0, 3) })
  expect(parted(told, chance, ['last']).chance).toEqual(chance.slice(0, 2))
  // Where chance brought nothing but the end, that is told.
  expect(parted(told, [event('ended')]).chance).toEqual([event('ended')])
})
test('whoever has played sees his own dearest mistake first, then his luck; anybody else the first moment', () => {
  const moment = (seat: number, what: string, share: number): Moment => ({
    step: 1,
    seat,
    what,
    points: share,
    before: 0.5,
    after: 0.5 + share,
    decision: null,
    events: [],
  })
  const moments = [moment(1, 'mistake', -0.4), moment(0, 'luck', -0.3), moment(0, 'mistake', -0.1), moment(0, 'mistake', -0.2)]
  expect(firstOf(moments, 0)).toBe(3)
  expect(firstOf(moments.slice(0, 2), 0)).toBe(1)
  expect(firstOf(moments, 2)).toBe(0)
  expect(firstOf(moments, null)).toBe(0)
  expect(firstOf([], 0)).toBe(0)
})
test('reasons of one kind that follow each other begin once', () => {
  const why = (code: string): Why => ({ code, event: null, share: 1, instead: 0, params: {} })
  const codes = (whys: Why[]) => saidTogether(whys).map((alike) => alike.map((one) => one.code))
  expect(codes(['wins', 'wins', 'costs'].map(why))).toEqual([['wins', 'wins'], ['costs']])
  expect(codes(['wins', 'costs', 'wins'].map(why))).toEqual([['wins'], ['costs'], ['wins']])
  expect(codes([])).toEqual([])
})
test('a record is found in a review that was saved with it, and what is neither is left as it is', () => {
  expect(recordIn('drunemeton record 1\n')).toBe('drunemeton record 1\n')
  expect(recordIn(JSON.stringify({ game: 'g', record: 'drunemeton record 1\n' }))).toBe('drunemeton record 1\n')
  for (const text of ['{', '{"record": 3}', '{"game": "g"}', '']) expect(recordIn(text)).toBe(text)
})
