/** Places and questions of this game in words: the sentence of the status line, labels. */
import type { Foretelling, Remark, Saying } from '../../lib/game'
import type { Foreseen } from '../../lib/protocol'
import { say, word } from '../../lib/words.svelte'
import { KINDS, SEATS, type CeView, type Change, type Colour, type Kind, type Place, type PlaceKind } from './view'
import { readMove, ruinOf, stopOf } from './notation'

export const nameOf = (colour: Colour): string => say(`web.ce.name.${colour}`)
const namesOf = (colours: Colour[]): string => colours.map(nameOf).join(', ')

/** What a place does to whoever leads a druid there; of one's own stop, what it does to oneself. */
export function effectWords(place: { kind: PlaceKind; parts: number; loses?: Kind[] }): string {
  if (place.kind === 'start') return say('web.ce.effect.start')
  if (place.kind === 'cult') return say('web.ce.effect.cult')
  if (place.parts > 0) return say('web.ce.effect.find', { count: place.parts })
  const count = place.loses ? place.loses.length : -place.parts
  return count ? say('web.ce.effect.ruin', { count }) : say('web.ce.effect.ruin_none')
}

export function describePlace(place: Place): string {
  const here = place.druids.length ? ` ${say('web.ce.place.druids', { druids: namesOf(place.druids) })}` : ''
  return say('web.ce.place.label', { place: place.number, kind: say(`web.ce.kind.${place.kind}`), effect: effectWords(place) }) + here
}

/** A way to a ruin: what it costs, and which parts had best go. */
export function warns(move: string, view: CeView): string | null {
  const ruin = ruinOf(move, view)
  return ruin && `${effectWords(ruin)} ${say('web.ce.least', { parts: ruin.loses.map((part) => word(part, 'ce')).join(', ') })}`
}

/** With these it is somebody's turn, or everybody's: what follows is no longer the move's. */
const AFTER = ['turn', 'round', 'trade']
const ENDS = ['play_ended', 'ended']
const CHOSEN = ['taken', 'given', 'bought']

/** What comes of a move itself. What others are forced to do afterwards is guesswork to whoever moves, save a sure end of the game. */
export function ofTheMove(foreseen: Foreseen[]): Foreseen[] {
  const after = foreseen.findIndex(({ event }) => AFTER.includes(event.kind))
  return foreseen.filter(({ event, share }, i) => after < 0 || i < after || (share === 1 && ENDS.includes(event.kind)))
}

/** What a part that is taken or given up does to the amulet: that is why one chooses it. */
function amuletWords({ what, parts }: Change): Remark {
  const sized = what === 'grows' || what === 'shrinks'
  return {
    text: sized ? say('web.ce.amulet.then', { count: parts, of: KINDS.length }) : say(`web.ce.amulet.${what}`),
    tone: TONES[what],
  }
}
const TONES = { grows: 'loud', completes: 'loud', twice: 'soft', spare: 'soft', shrinks: 'bad', breaks: 'bad' } as const

/** Who walks where, and what the place at the end of the way does. */
export const foretold: Foretelling<CeView> = {
  kinds: ['walked', 'stayed', 'last_round', 'taken', 'given', 'nothing_left', 'play_ended', 'swapped', 'bought', 'ended'],
  own(foreseen, table) {
    const own = ofTheMove(foreseen)
    // The move's own words say what is taken or given up; what follows of itself has its line.
    const said = table.armed && readMove(table.armed).kind !== 'play' ? own.findIndex(({ event }) => CHOSEN.includes(event.kind)) : -1
    return own.filter((_, i) => i !== said)
  },
  notes(_, table) {
    const move = table.armed ? readMove(table.armed) : null
    if (move?.kind === 'take' || move?.kind === 'give') {
      const change = (move.kind === 'take' ? table.shown.if_taken : table.shown.if_given)[move.part]
      return change ? [amuletWords(change)] : []
    }
    if (!table.armed || move?.kind !== 'play') return []
    const stop = stopOf(table.shown, move.colour, move.druid + move.experience)
    if (!stop) return []
    // What costs something is asked above the hand: once is enough.
    if (table.warning) return []
    const cost = warns(table.armed, table.shown)
    return [{ text: cost ?? effectWords(stop), tone: cost ? 'bad' : 'loud', after: true }]
  },
}

/** What is asked of a seat now. */
export function asks(view: CeView, seat: number | null, turn: number | null): Saying {
  if (turn === null || view.phase === 'over') return { key: 'web.status.over' }
  const who = SEATS[turn]!
  if (seat !== turn)
    return {
      key: view.phase === 'experience' ? 'web.ce.ask.trading' : view.last_round ? 'web.ce.ask.waiting_last' : 'web.ce.ask.waiting',
      params: { seat: who },
    }
  if (view.phase === 'cult') {
    const { before_ruin: druids, ruin_risk: percent } = view
    if (druids.length === 0) return { key: 'web.ce.ask.cult' }
    const params = { count: druids.length, druids: namesOf(druids), percent }
    return { key: percent ? 'web.ce.ask.cult_risk' : 'web.ce.ask.cult_safe', params }
  }
  if (view.phase === 'take') return { key: 'web.ce.ask.take', params: { count: view.left } }
  if (view.phase === 'give') return { key: 'web.ce.ask.give', params: { count: view.left, parts: view.spare.slice(0, 1) } }
  if (view.phase === 'experience')
    return { key: 'web.ce.ask.experience', params: { count: view.players[turn]?.experience.length ?? 0, rank: view.players[turn]?.rank } }
  return { key: view.last_round ? 'web.ce.ask.play_last' : 'web.ce.ask.play' }
}

/**
 * What a move will bring in a word or two: parts that come and go, of those to choose from the ones that are needed, a card of
 * which deck, the last round.
 */
export function outlook(all: Foreseen[], _seat: number, view: CeView): string {
  const foreseen = ofTheMove(all)
  const some = (kind: string) => foreseen.find(({ event }) => event.kind === kind)?.event
  const count = (...kinds: string[]) => foreseen.filter(({ event }) => kinds.includes(event.kind)).length
  let [won, lost] = [count('taken', 'bought', 'swapped'), count('given', 'swapped')]
  const signs: string[] = []
  const walked = some('walked')
  const stop = walked && view.stops[walked.colour as Colour]?.find(({ place }) => place === walked.to)
  if (stop) {
    won = Math.max(won, stop.takes)
    lost = Math.max(lost, stop.loses.length)
    if (stop.needs) signs.push(say('web.ce.outlook.needed', { count: stop.needs }))
  }
  const dealt = stop?.kind === 'cult' ? 'druid' : some('dealt')?.deck
  if (dealt) signs.push(say(`web.ce.outlook.${dealt}`))
  if (some('stayed')) signs.push(say('web.ce.outlook.stays'))
  if (some('last_round')) signs.push(say('web.ce.last_round'))
  if (lost) signs.unshift(say('web.ce.outlook.lost', { count: lost }))
  if (won) signs.unshift(say('web.ce.outlook.won', { count: won }))
  return signs.join(' · ') || (stop ? '±0' : '')
}
