/** What taps and presses mean at this table. Cards of one colour are chosen, or a druid and then the place where he shall stop. */
import { settings } from '../../lib/settings.svelte'
import { arm, choose, mayAct, putDown, refuse, skip, type TableState } from '../../lib/table.svelte'
import { COLOURS, type CeView, type Colour, type Kind, type Player, type Stop } from './view'
import { playText, readMove, ruinOf } from './notation'
import { druidRests } from './whynot'

type Table = TableState<CeView>

export const ownOf = (table: Table): Player | undefined => (table.seat === null ? undefined : table.shown.players[table.seat])

/** The play that is pointed at now. */
export function armedPlay(table: Table): { colour: Colour; druid: number; experience: number } | null {
  const move = table.armed ? readMove(table.armed) : null
  return move?.kind === 'play' ? move : null
}

/** The druid that was taken up. */
type Picked = { colour: Colour } | null

/** The druid whose stops are shown on the island. */
export const pickedColour = (table: Table): Colour | null => armedPlay(table)?.colour ?? (table.picked as Picked)?.colour ?? null

/** A play that was tapped. */
function choosePlay(table: Table, move: string, colour: Colour | null): void {
  table.picked = (colour && { colour }) satisfies Picked
  choose(table, move, 'hand')
}

export function ready(table: Table): boolean {
  if (table.scene) skip(table)
  else if (mayAct(table)) return true
  else if (table.seat !== null && !table.result && !table.sending) refuse(table, 'not_your_turn', 'hand')
  return false
}

/** The n-th card of a colour and deck was tapped: so many of them are meant, with what is chosen of the other deck. */
export function tapCard(table: Table, colour: Colour, deck: 'druid' | 'experience', count: number): void {
  if (!ready(table) || table.shown.phase !== 'play') return
  const before = armedPlay(table)
  const same = before?.colour === colour ? before : { druid: 0, experience: 0 }
  const move = deck === 'druid' ? playText(colour, count, same.experience) : playText(colour, same.druid, count)
  // The stops on the island are a preview too, unless the druid himself was taken up.
  choosePlay(table, move, settings.preview ? colour : null)
}

/** A druid was tapped: his stops are shown; once more, and they go. */
export function tapDruid(table: Table, colour: Colour): void {
  if (!ready(table) || table.shown.phase !== 'play') return
  const same = pickedColour(table) === colour
  putDown(table)
  if (same) return
  if ((table.shown.stops[colour] ?? []).length > 0) table.picked = { colour } satisfies Picked
  else table.refusal = { reason: druidRests(table.shown, colour), anchor: `druid ${colour}` }
}

/** Of the legal plays of so many cards the one with the fewest experience cards. */
function playFor(table: Table, colour: Colour, cards: number): string | null {
  for (let experience = 0; experience <= cards; experience++) {
    const move = playText(colour, cards - experience, experience)
    if (table.legal.includes(move)) return move
  }
  return null
}

/** The stops of the picked druid: place by place, with the fewest cards that lead there. */
export function targets(table: Table): Map<number, { move: string; stop: Stop }> {
  const colour = settings.preview ? pickedColour(table) : ((table.picked as Picked)?.colour ?? null)
  const found = new Map<number, { move: string; stop: Stop }>()
  if (!colour || !mayAct(table) || table.shown.phase !== 'play') return found
  for (const stop of table.shown.stops[colour] ?? []) {
    const move = found.has(stop.place) ? null : playFor(table, colour, stop.cards)
    if (move) found.set(stop.place, { move, stop })
  }
  return found
}

export function tapStop(table: Table, move: string): void {
  const colour = pickedColour(table)
  if (ready(table) && colour) choosePlay(table, move, colour)
}
export function pointAt(table: Table, move: string): void {
  if (mayAct(table)) arm(table, move, 'hand')
}

/** The move that a part of the display means now: take it, buy it, or the least harmful swap for it. */
export function moveForPart(table: Table, part: Kind): string | null {
  const take = `take ${part}`
  if (table.legal.includes(take) && table.shown.phase === 'take') return take
  if (table.shown.phase !== 'experience') return null
  const swap = table.shown.spare.map((own) => `swap ${own} ${part}`).find((move) => table.legal.includes(move))
  return swap ?? (table.legal.includes(take) ? take : null)
}

export const groupsOf = (player: Player | undefined): { colour: Colour; druid: number; experience: number }[] =>
  COLOURS.map((colour) => ({
    colour,
    druid: player?.hand.filter((card) => card === colour).length ?? 0,
    experience: player?.experience.filter((card) => card === colour).length ?? 0,
  })).filter((group) => group.druid + group.experience > 0)

/** The own parts that the move pointed at would cost: those named, or what a ruin takes with the least harm. */
export function going(table: Table): Kind[] {
  if (!table.armed || !ownOf(table)) return []
  const move = readMove(table.armed)
  if (move.kind === 'give') return [move.part]
  if (move.kind === 'swap') return [move.own]
  return ruinOf(table.armed, table.shown)?.loses ?? []
}
