/** The coach grows silent: what was used rightly three times is not told again. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Coached } from '../src/lib/protocol'
import { KNOWN, matters, noteMove, noteOutcome, outcome } from '../src/lib/teaching'

const coached: Coached = {
  type: 'coached',
  id: 'x',
  revision: 1,
  before: [
    { code: 'ce.ruin', rule: 'CE-4.2', params: {}, right: ['red 2'] },
    { code: 'ce.stop', rule: 'CE-3.3', params: {}, right: ['red 2', 'grey 1'] },
  ],
  after: [{ code: 'ce.found_parts', rule: 'CE-4.1', params: { count: 2 } }],
}

describe('the coach', () => {
  beforeEach(() => localStorage.setItem('drunemeton.coach', '{}'))

  it('tells the first thing that is not known', () => {
    expect(matters(coached)?.code).toBe('ce.ruin')
    for (let i = 0; i < KNOWN; i++) noteMove(coached, 'red 2')
    expect(matters(coached)).toBeUndefined()
  })

  it('counts a rule only when it was used rightly', () => {
    for (let i = 0; i < 2 * KNOWN; i++) noteMove(coached, 'grey 1')
    expect(matters(coached)?.code).toBe('ce.ruin')
    noteMove(coached, 'red 1')
    expect(JSON.parse(localStorage.getItem('drunemeton.coach')!)).toEqual({ 'ce.stop': 2 * KNOWN })
  })

  it('tells an outcome three times', () => {
    for (let i = 0; i < KNOWN; i++) noteOutcome(outcome(coached)!)
    expect(outcome(coached)).toBeUndefined()
  })

  it('begins anew with what cannot be read', () => {
    localStorage.setItem('drunemeton.coach', '{nonsense')
    expect(matters(coached)?.code).toBe('ce.ruin')
    localStorage.setItem('drunemeton.coach', 'null')
    expect(matters(coached)?.code).toBe('ce.ruin')
  })
})
