/** Places and questions of this game in words: labels for those who listen, the sentence of the status line. */
import type { Foretelling, Remark, Saying } from '../../lib/game'
import type { Foreseen, GameEvent } from '../../lib/protocol'
import { settings } from '../../lib/settings.svelte'
import { language, say, word } from '../../lib/words.svelte'
import { turned } from './layout'
import { SEATS, type Cell, type Corner, type DdView, type Prospect } from './view'

/** Who plays by finger has no keys. */
const finger = matchMedia('(pointer: coarse)')

/** The spells of each magic, by the verbs of their moves. */
const SPELLS: Record<string, string[]> = { light: ['stone', 'temple', 'convert'], dark: ['demon', 'remove', 'anchor'] }

/** What is asked of a seat now, naming no other moves than these. */
export function asks(view: DdView, seat: number | null, turn: number | null, moves: string[]): Saying {
  if (turn === null || view.phase === 'over') return { key: 'web.status.over' }
  if (seat !== turn) return { key: seat === null ? 'web.dd.ask.turn_of' : 'web.dd.ask.waiting', params: { seat: SEATS[turn] } }
  const { at_most: left, price } = view
  if (view.in_hand === 'portal') return { key: 'web.dd.ask.portal' }
  if (view.in_hand)
    return view.phase === 'setup' ? { key: finger.matches ? 'web.dd.ask.setup.finger' : 'web.dd.ask.setup' } : { key: 'web.dd.ask.lay' }
  if (view.phase === 'choose') return { key: view.chosen.length ? 'web.dd.ask.second' : 'web.dd.ask.first' }
  if (view.half)
    return {
      key: view.phase === 'move' ? 'web.dd.ask.to' : view.half.includes('/') ? 'web.dd.ask.stone_from' : 'web.dd.ask.temple_from',
      params: { place: view.half },
    }
  const spells = SPELLS[view.phase]?.filter((verb) => moves.some((move) => move.startsWith(`${verb} `)))
  if (spells) {
    const said = spells.map((verb) => say(`web.dd.spell.${verb}`))
    const list = new Intl.ListFormat(language(), { type: 'disjunction' }).format(said)
    return { key: `web.dd.ask.${view.phase}`, params: { left, spells: list } }
  }
  return price ? { key: 'web.dd.ask.populate.trophies', params: { price } } : { key: `web.dd.ask.${view.phase}`, params: { left } }
}

const TERRAIN_WORDS = (sides: string): string => [...sides].map((side) => word(side, 'dd')).join(', ')

export const cardWords = (card: unknown): string =>
  card === 'portal'
    ? say('web.dd.portal')
    : typeof card === 'string' && /^[FWM]{6}$/.test(card)
      ? say('web.dd.field', { sides: TERRAIN_WORDS(card) })
      : String(card ?? '?')

/** Places as they are written and said: with a minus, which a hyphen is not. */
export const inWords = (text: string): string => text.replace(/-(?=\d)/g, '−')

/** The stones at each field's corners. */
export function stonesBy(corners: Corner[]): Map<string, Corner[]> {
  const found = new Map<string, Corner[]>()
  for (const corner of corners) if (corner.stone) for (const cell of corner.cells) found.set(cell, [...(found.get(cell) ?? []), corner])
  return found
}

export function describe(cell: Cell, stones: Corner[] = []): string {
  const parts: string[] = []
  if (cell.kind === 'centre') parts.push(say('web.dd.centre'))
  else if (cell.kind === 'portal') parts.push(say('web.dd.portal'))
  else parts.push(TERRAIN_WORDS(cell.sides ?? ''))
  if (cell.demon) parts.push(say('web.dd.has_demon'))
  if (cell.population) parts.push(say(cell.anchor ? 'web.dd.has_anchor' : 'web.dd.has_population', { seat: cell.population }))
  if (cell.temple) parts.push(cell.temple_of ? say('web.dd.has_temple', { seat: cell.temple_of }) : say('web.dd.has_free_temple'))
  for (const { corner, stone } of stones) parts.push(say('web.dd.has_stone', { seat: stone, corner }))
  return inWords(`${cell.cell}: ${parts.join('; ')}`)
}

/** An event that lays a field shows it as it lies. */
export function says(event: GameEvent): Saying | null {
  if (event.kind !== 'laid' || settings.coordinates || typeof event.card !== 'string') return null
  return { key: 'web.dd.says.laid', params: { ...event, card: turned(event.card, Number(event.rotation)) } }
}

/** An action with which nothing can be done as things stand. */
export function warns(move: string, view: DdView): string | null {
  const prospect = prospectOf(view, move)
  return prospect?.idle ? say('web.dd.warn.nothing', { action: say(`web.dd.action.${prospect.action}`) }) : null
}

export const prospectOf = (view: DdView, move: string): Prospect | undefined =>
  view.prospects?.find((one) => move === `choose ${one.action}`)

/** What an action would give now, in a few words. */
export function givesWords(prospect: Prospect, again: boolean): string {
  const { up_to, twice, possible } = prospect
  if (possible === 0) return say('web.dd.gives.nothing')
  const most = again ? twice : up_to
  return possible < most ? say('web.dd.gives.some', { most, count: possible }) : say('web.dd.gives.all', { count: most })
}

/** How many trophies a move costs. */
const trophiesFor = (foreseen: Foreseen[]): number => Number(foreseen.find(({ event }) => event.kind === 'settled')?.event.paid ?? 0)

/** What is lost, won and scored. */
export const foretold: Foretelling<DdView> = {
  kinds: [
    'action',
    'population_lost',
    'stone_lost',
    'temple_lost',
    'demon_removed',
    'anchor_removed',
    'captured',
    'converted',
    'scored',
    'ended',
  ],
  loud: ['scored', 'ended'],
  notes(foreseen, table): Remark[] {
    const count = trophiesFor(foreseen)
    if (count) return [{ text: say('web.dd.costs_trophies.more', { count }), tone: 'loud' }]
    if (foreseen.some(({ event }) => this.kinds.includes(event.kind))) return []
    return [{ text: say(table.armed === 'draw' ? 'web.dd.draws' : 'web.dd.nothing_more'), tone: 'soft' }]
  },
}

/** Points that a move will bring and cost, one's own first; then demon fields that fall together, and trophies, if it is paid with them. */
export function outlook(foreseen: Foreseen[], seat: number, view: DdView): string {
  const points = new Map<unknown, number>()
  for (const { event } of foreseen) if (event.kind === 'scored') points.set(event.seat, event.points as number)
  const own = view.players.filter((player) => player.seat === SEATS[seat])
  const others = view.players.filter((player) => player.seat !== SEATS[seat])
  const changes = [...own, ...others]
    .map((player) => ({
      name: own.includes(player) ? '' : `${word(player.seat, 'dd')} `,
      change: (points.get(player.seat) ?? player.points) - player.points,
    }))
    .filter(({ change }) => change !== 0)
    .map(({ name, change }) => `${name}${change > 0 ? '+' : '−'}${Math.abs(change)}`)
  // A field that is taken away may leave others without a hold.
  const fallen = foreseen.filter(({ event }) => event.kind === 'demon_removed').length
  if (fallen > 1) changes.push(say('web.dd.falling', { count: fallen }))
  const count = trophiesFor(foreseen)
  return [...changes, ...(count ? [say('web.dd.costs_trophies', { count })] : [])].join(' · ')
}
