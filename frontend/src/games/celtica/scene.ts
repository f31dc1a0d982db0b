/**
 * Events on the stage: how long each is shown, and what the table looks like after it.
 *
 * The server sends a view only when a step is over: between the events of a step no seat decides, so no view exists, and to send one
 * for every event would multiply what is sent by ten. So the picture is moved here: a piece named by an event goes from where it lay
 * to where it comes to lie. No rule is carried out: who plays, and what a player's parts come to once they lie as they will, is taken from
 * the view that follows; it replaces the picture in the end.
 */
import type { Scene } from '../../lib/game'
import type { GameEvent } from '../../lib/protocol'
import type { Told } from '../../lib/table.svelte'
import { KINDS, type CeView, type Colour, type Deck, type Kind, type Player } from './view'

/** Milliseconds at speed 1. What is not named here is not shown by itself. */
const TIMES: Record<string, number> = {
  round: 500,
  dealt: 90,
  part_shown: 220,
  part_dealt: 160,
  played: 550,
  laid: 240,
  stayed: 600,
  last_round: 1300,
  taken: 520,
  given: 520,
  declined: 450,
  nothing_left: 700,
  play_ended: 800,
  discarded: 120,
  trade: 350,
  skipped: 300,
  paid: 250,
  swapped: 650,
  bought: 520,
  stopped: 400,
}

const REJOICE_MS = 1400

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

export function scene(before: CeView, event: GameEvent, _rest: GameEvent[], last: CeView): Scene<CeView> {
  const ms = event.kind === 'walked' ? 350 + 230 * (Number(event.to) - Number(event.from)) : (TIMES[event.kind] ?? 0)
  const shown = { event, ms, during: during(before, event), view: land(copy(before), event, last) }
  // A complete amulet is a moment.
  return completes(shown) ? { ...shown, ms: ms + REJOICE_MS } : shown
}

const wholeOf = (view: CeView, seat: unknown): number => playerOf(view, seat)?.complete ?? 0

/** Who completes an amulet with what happens now. */
export function completes({ event, during, view }: Scene<CeView>): string | null {
  return wholeOf(view, event.seat) > wholeOf(during, event.seat) ? String(event.seat) : null
}

export interface Walk {
  colour: Colour
  from: number
  to: number
}

const asWalk = (event: GameEvent): Walk => ({ colour: event.colour as Colour, from: Number(event.from), to: Number(event.to) })

/** The walk that events tell of. */
export function walkOf(events: GameEvent[]): Walk | null {
  const walked = events.findLast(({ kind }) => kind === 'walked')
  return walked ? asWalk(walked) : null
}

/** The last walk of a druid: marked on the island until the next. */
export function lastWalk(log: Told[]): Walk | null {
  for (let i = log.length - 1; i >= 0; i--) {
    const event = log[i]!.event
    if (event?.kind === 'walked') return asWalk(event)
    // In a new round nobody has gone yet.
    if (event?.kind === 'round') return null
  }
  return null
}

/** What leaves its place while an event is under way. */
function during(before: CeView, event: GameEvent): CeView {
  const view = copy(before)
  if (event.kind === 'taken' || event.kind === 'bought') change(view.display, event.part as Kind, -1)
  if (event.kind === 'given') part(view, event.seat, event.part as Kind, -1)
  if (event.kind === 'swapped') {
    part(view, event.seat, event.own as Kind, -1)
    change(view.display, event.part as Kind, -1)
  }
  return view
}

function change<Name extends string>(counts: Partial<Record<Name, number>>, name: Name, by: number): void {
  const left = (counts[name] ?? 0) + by
  if (left > 0) counts[name] = left
  else delete counts[name]
}

const playerOf = (view: CeView, seat: unknown): Player | undefined => view.players.find((player) => player.seat === seat)

function part(view: CeView, seat: unknown, kind: Kind, by: number): void {
  const player = playerOf(view, seat)
  if (player) change(player.parts, kind, by)
}

/** Where a player's parts lie as in the view that follows, it says what they come to. */
function count(view: CeView, seat: unknown, last: CeView): void {
  const [player, then] = [playerOf(view, seat), playerOf(last, seat)]
  if (!player || !then || KINDS.some((kind) => player.parts[kind] !== then.parts[kind])) return
  Object.assign(player, { amulets: then.amulets, complete: then.complete, lacking: then.lacking })
}

/** A card leaves a hand; its place is counted from one, the highest place first. */
function leave(view: CeView, event: GameEvent, open: boolean): void {
  const deck = event.deck as Deck
  const player = playerOf(view, event.seat)
  const cards = deck === 'druid' ? player?.hand : player?.experience
  cards?.splice(Number(event.place) - 1, 1)
  if (open && event.card) change(view.discard[deck], event.card as Colour, 1)
}

function land(view: CeView, event: GameEvent, last: CeView): CeView {
  const player = playerOf(view, event.seat)
  switch (event.kind) {
    case 'round':
      view.round = Number(event.round)
      for (const one of view.players) one.playing = playerOf(last, one.seat)?.playing ?? one.playing
      view.starter = String(event.starter)
      break
    case 'shuffled': {
      const pile = String(event.pile)
      if (pile === 'parts') {
        view.supply = Number(event.cards)
        view.given = {}
      } else if (pile === 'druid' || pile === 'experience') {
        view.pile[pile] = Number(event.cards)
        view.discard[pile] = {}
      }
      break
    }
    case 'dealt': {
      const deck = event.deck as Deck
      const cards = deck === 'druid' ? player?.hand : player?.experience
      cards?.splice(Number(event.place) - 1, 0, (event.card as Colour | null) ?? '?')
      view.pile[deck] = Math.max(0, view.pile[deck] - 1)
      break
    }
    case 'part_shown':
      change(view.display, event.part as Kind, 1)
      view.supply = Math.max(0, view.supply - 1)
      break
    case 'part_dealt':
      part(view, event.seat, event.part as Kind, 1)
      view.supply = Math.max(0, view.supply - 1)
      break
    case 'turn':
    case 'trade':
      view.turn = String(event.seat)
      view.phase = event.kind === 'turn' ? 'play' : 'experience'
      break
    case 'laid':
    case 'discarded':
    case 'paid':
      leave(view, event, true)
      break
    case 'walked': {
      const colour = event.colour as Colour
      view.druids[colour] = Number(event.to)
      for (const place of view.places) {
        place.druids = place.druids.filter((one) => one !== colour)
        if (place.number === event.to) place.druids.push(colour)
      }
      break
    }
    case 'last_round':
      view.last_round = true
      break
    case 'taken':
    case 'bought':
      change(view.display, event.part as Kind, -1)
      part(view, event.seat, event.part as Kind, 1)
      break
    case 'given':
      part(view, event.seat, event.part as Kind, -1)
      change(view.given, event.part as Kind, 1)
      break
    case 'swapped':
      change(view.display, event.part as Kind, -1)
      change(view.display, event.own as Kind, 1)
      part(view, event.seat, event.own as Kind, -1)
      part(view, event.seat, event.part as Kind, 1)
      break
    case 'play_ended':
      view.phase = 'experience'
      view.last_round = false
      break
    case 'ended':
      view.phase = last.phase
  }
  count(view, event.seat, last)
  return view
}
