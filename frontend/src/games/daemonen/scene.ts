/**
 * Events on the stage: how long each is shown, and what the table looks like after it.
 *
 * The server sends a view only when a step is over: between the events of a step no seat decides, so no view exists, and to send one
 * for every event would multiply what is sent by ten. So the picture is moved here: a piece named by an event goes from where it lay
 * to where it comes to lie. No rule is carried out; whatever is counted or judged comes with the view that follows and replaces the
 * picture.
 */
import type { Scene } from '../../lib/game'
import type { GameEvent } from '../../lib/protocol'
import type { Told } from '../../lib/table.svelte'
import { readCell, turned } from './layout'
import type { Action, Cell, Corner, DdView, Seat } from './view'

/** Milliseconds at speed 1. What is not named here is not shown by itself. */
const TIMES: Record<string, number> = {
  first_player: 900,
  drawn: 250,
  laid: 420,
  portal_laid: 600,
  discarded: 500,
  turn: 350,
  chosen: 650,
  demon_placed: 650,
  demon_removed: 500,
  anchored: 600,
  anchor_removed: 500,
  population_lost: 550,
  stone_placed: 650,
  stone_lost: 600,
  temple_placed: 700,
  temple_lost: 600,
  converted: 650,
  settled: 420,
  captured: 600,
  moved: 480,
  ended: 400,
}

/** What an action begins with. */
const BEGINNINGS = new Set(['turn', 'action', 'chosen', 'drawn'])

export type Piecework = 'population' | 'stone' | 'temple' | 'demon' | 'anchor'

/** Events that take something away, and what goes from its place. */
export const LOSSES: Record<string, Piecework | undefined> = {
  population_lost: 'population',
  captured: 'population',
  stone_lost: 'stone',
  temple_lost: 'temple',
  demon_removed: 'demon',
  anchor_removed: 'anchor',
  discarded: undefined,
}

/** Where on the map an event happens. */
export function placeOfEvent(event: GameEvent): string | null {
  const at = event.cell ?? event.corner ?? event.to
  return typeof at === 'string' ? at : null
}

/** Where the last action left its traces: marked on the map until the next. */
export function lastPlaces(log: Told[]): string[] {
  const found = new Set<string>()
  for (let i = log.length - 1; i >= 0; i--) {
    const event = log[i]!.event
    if (!event) continue
    const place = placeOfEvent(event)
    if (place) found.add(place)
    if (typeof event.from === 'string') found.add(event.from)
    if (found.size > 0 && BEGINNINGS.has(event.kind)) break
  }
  return [...found]
}

export function scene(before: DdView, event: GameEvent, _rest: GameEvent[], last: DdView): Scene<DdView> {
  const during = lift(before, event)
  return { event, ms: TIMES[event.kind] ?? 0, during, view: land(during, event, last) }
}

/** The view with one cell changed; all else stays the same object, so that nothing else is drawn anew. */
const withCell = (view: DdView, name: unknown, changes: Partial<Cell>): DdView => ({
  ...view,
  cells: view.cells.map((cell) => (cell.cell === name ? { ...cell, ...changes } : cell)),
})

function withStone(view: DdView, name: unknown, stone: Seat | null): DdView {
  if (!view.corners.some((corner) => corner.corner === name)) {
    const made: Corner = { corner: String(name), cells: [], stone, ready: false }
    return { ...view, corners: [...view.corners, made] }
  }
  return { ...view, corners: view.corners.map((corner) => (corner.corner === name ? { ...corner, stone } : corner)) }
}

/** What leaves its place while an event is under way: it is in the air. */
function lift(view: DdView, event: GameEvent): DdView {
  if (event.kind === 'moved') return withCell(view, event.from, { population: null })
  if (event.kind === 'stone_placed' && event.from) return withStone(view, event.from, null)
  if (event.kind === 'temple_placed' && event.from) return withCell(view, event.from, { temple: false, temple_of: null })
  return view
}

/** Where things come to lie once an event is over. */
function land(view: DdView, event: GameEvent, last: DdView): DdView {
  const seat = event.seat as Seat
  switch (event.kind) {
    case 'drawn':
      return { ...view, in_hand: event.card as string | null, pile: event.left as number, lays: [], frontier: [] }
    case 'discarded':
      return { ...view, in_hand: null }
    case 'laid':
      return grown(view, String(event.cell), turned(String(event.card), event.rotation as number), last)
    case 'portal_laid':
      return grown(view, String(event.cell), null, last)
    case 'turn':
      return {
        ...view,
        turn: seat,
        phase: 'choose',
        chosen: [],
        in_hand: null,
        banned: (event.banned as Action[]).map((action) => ({ action, by: [] })),
        left: 0,
        half: null,
      }
    case 'chosen':
      return { ...view, chosen: [...view.chosen, event.action as Action] }
    case 'action':
      return { ...view, phase: event.action as Action, left: event.left as number, turn: seat }
    case 'demon_placed':
      return { ...withCell(view, event.cell, { demon: true }), demon_pool: view.demon_pool - 1 }
    case 'demon_removed':
      return withCell(view, event.cell, { demon: false })
    case 'anchored':
      return { ...withCell(view, event.cell, { anchor: true }), demon_pool: view.demon_pool - 1 }
    case 'anchor_removed':
      return withCell(view, event.cell, { anchor: false })
    case 'population_lost':
    case 'captured':
      return withCell(view, event.cell, { population: null, anchor: false })
    case 'settled':
      return withCell(view, event.cell, { population: seat })
    case 'moved':
      return withCell(view, event.to, { population: seat })
    case 'stone_placed':
    case 'converted':
      return withStone(view, event.corner, seat)
    case 'stone_lost':
      return withStone(view, event.corner, null)
    case 'temple_placed':
      return withCell(view, event.cell, { temple: true, temple_of: seat })
    case 'temple_lost':
      return withCell(view, event.cell, { temple: false, temple_of: null })
    case 'scored':
      return {
        ...view,
        players: view.players.map((player, i) => (player.seat === seat ? { ...last.players[i]!, points: event.points as number } : player)),
      }
  }
  return view
}

function grown(view: DdView, name: string, sides: string | null, last: DdView): DdView {
  const known = last.cells.find((cell) => cell.cell === name)
  const made: Cell = {
    cell: name,
    ...readCell(name),
    kind: sides ? 'land' : 'portal',
    sides,
    demon: false,
    anchor: false,
    population: null,
    temple: false,
    temple_of: null,
    stones: 0,
    habitable: known?.habitable ?? false,
    at_portal: false,
    moved: false,
  }
  return { ...view, cells: [...view.cells, made], in_hand: null }
}
