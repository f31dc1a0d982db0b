/**
 * Events on the stage: how long each is shown, and what the table looks like after it.
 *
 * The server sends a view only when a step is over: between the events of a step no seat decides, so no view exists, and to send one
 * for every event would multiply what is sent by ten. So the picture is moved here: a piece named by an event goes from where it lay
 * to where it comes to lie. No rule is carried out: who wins a contest and who rests is read off what is told, and whatever is counted or
 * judged comes with the view that follows and replaces the picture.
 */
import type { Scene } from '../../lib/game'
import type { GameEvent } from '../../lib/protocol'
import type { Told } from '../../lib/table.svelte'
import { seatOfBoard, treeName, treeOf, type CardText, type Colour, type DwView, type Seat } from './view'

/** Milliseconds at speed 1. What is not named here is not shown by itself. */
const TIMES: Record<string, number> = {
  arrow_laid: 500,
  shuffled: 500,
  stacked: 200,
  drawn: 260,
  druid_set: 450,
  played: 650,
  danced: 800,
  stayed: 500,
  turned: 420,
  met: 1100,
  token: 500,
  card_won: 550,
  tree_lost: 1000,
  scattered: 220,
  druid_moved: 600,
  retreated: 650,
  ring_back: 350,
  passed: 900,
}

export function scene(before: DwView, event: GameEvent, rest: GameEvent[], last: DwView): Scene<DwView> {
  const during = lift(copy(before), event, rest, last)
  return { event, ms: TIMES[event.kind] ?? 0, during, view: land(copy(during), event) }
}

/** Where the last move was made and where its dancers came to lie: marked on the board until the next. */
export function lastPlaces(log: Told[]): string[] {
  const found: string[] = []
  for (let i = log.length - 1; i >= 0; i--) {
    const event = log[i]!.event
    if (!event) continue
    if (event.kind === 'danced') found.push(String(event.to))
    else if (event.kind === 'played') return [String(event.tree), ...found]
    else if (event.kind === 'retreated') return [`${event.seat === 'sun' ? 'S' : 'M'}C`, ...found]
    else if (event.kind === 'druid_set') return [treeName(event.seat as Seat, Number(event.tree))]
    // A druid jumps in a move of its own; where a tree falls, he flees in the middle of another.
    else if (event.kind === 'druid_moved' && log[i - 1]?.event?.kind === 'turn') return [String(event.to)]
  }
  return found
}

/** What leaves its place while an event is under way. */
function lift(view: DwView, event: GameEvent, rest: GameEvent[], last: DwView): DwView {
  const seat = event.seat as Seat
  const taken = (board: unknown, depth: number | null = null) => take(view, String(board), depth, rest, last)
  switch (event.kind) {
    case 'shuffled': {
      const pile = event.pile as Seat
      if (view.pile[pile] === 0) view.cult[pile] = []
      break
    }
    case 'drawn':
      view.pile[seat]--
      break
    case 'arrow_laid':
      view.pile[seat]--
      break
    case 'played':
      view.hand[seat][(event.place as number) - 1] = null
      view.ring = String(event.tree)
      view.resting = last.ring === view.ring ? last.resting : unmet(view, rest)
      break
    case 'danced':
      taken(event.from, event.depth as number)
      break
    case 'card_won':
      taken(event.tree)
      break
    case 'scattered': {
      const tree = treeOf(view, String(event.tree))
      if (tree) {
        tree.cards = Math.max(0, tree.cards - 1)
        tree.top = tree.cards ? '?' : null
        tree.tokens = 0
      }
      break
    }
    case 'retreated':
      if (event.place) view.hand[seat][(event.place as number) - 1] = null
      else taken(event.tree)
      break
    case 'druid_moved':
      for (const tree of view.trees) if (tree.name === event.from) tree.druid = null
      break
    case 'ring_back':
      view.ring = null
      view.resting = null
  }
  return view
}

/**
 * The colour at the ring's tree if it does not meet. The ring is back before the step is over, so no view tells who rests: it is read off
 * the story that follows.
 */
function unmet(view: DwView, rest: GameEvent[]): Colour | null {
  const colour = treeOf(view, String(view.ring))?.druid ?? null
  return rest.some((event) => event.kind === 'met' && event.colour === colour) ? null : colour
}

/** Where things come to lie once an event is over. */
function land(view: DwView, event: GameEvent): DwView {
  const tree = treeOf(view, String(event.tree))
  const seat = event.seat as Seat
  const card = (event.card ?? '?') as CardText
  switch (event.kind) {
    case 'arrow_laid':
    case 'retreated':
      view.cult[seat].push(card)
      break
    case 'shuffled':
      view.pile[event.pile as Seat] = event.cards as number
      break
    case 'stacked':
      if (tree) {
        Object.assign(tree, { cards: event.cards, down: (event.cards as number) - 1, top: card })
        view.pile[tree.seat] -= event.cards as number
      }
      break
    case 'drawn':
      view.hand[seat][(event.place as number) - 1] = card
      break
    case 'druid_set': {
      const chosen = view.trees.find((one) => one.seat === seat && one.number === event.tree)
      if (chosen) chosen.druid = event.colour as Colour
      break
    }
    case 'turn':
      view.turn = seat
      for (const one of view.trees) one.must_fill = one.seat === seat && (event.must_fill as number[]).includes(one.number)
      break
    case 'played':
      lay(view, String(event.tree), card)
      break
    case 'danced':
      lay(view, String(event.to), card)
      break
    case 'turned':
      if (tree) {
        tree.top = card
        tree.down = Math.min(tree.down, tree.cards - 1)
      }
      break
    case 'token':
      if (tree) tree.tokens = event.tokens as number
      break
    case 'card_won':
    case 'scattered':
      view.cult[event.cult as Seat].push(card)
      break
    case 'tree_lost':
      if (tree) Object.assign(tree, { lost: true, must_fill: false })
      break
    case 'druid_moved':
      for (const one of view.trees) if (one.name === event.to) one.druid = event.colour as Colour
  }
  return view
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** A card comes to lie on top of a board. */
function lay(view: DwView, board: string, card: CardText): void {
  const tree = treeOf(view, board)
  if (!tree) {
    view.cult[seatOfBoard(board)].push(card)
    return
  }
  tree.top = card
  tree.cards++
}

/** A card leaves a tree, from the top or from `depth` cards above the ground. */
function take(view: DwView, board: string, depth: number | null, rest: GameEvent[], last: DwView): void {
  const tree = treeOf(view, board)
  if (!tree) return
  const fromTop = depth === null || depth === tree.cards - 1
  tree.cards--
  if (!fromTop) return
  if (tree.cards === 0) tree.top = null
  else if (tree.cards <= tree.down) tree.top = '?'
  else tree.top = resurfaced(board, tree.cards, rest, last)
}

/** A covered card that lies open again: the server does not name it at once, but what follows does. */
function resurfaced(board: string, cards: number, rest: GameEvent[], last: DwView): CardText {
  let above = 0
  for (const event of rest) {
    if (event.kind === 'danced' && event.from === board) {
      if (event.depth === cards - 1) return String(event.card)
      above--
    } else if ((event.kind === 'card_won' || event.kind === 'retreated') && event.tree === board && !event.place) {
      if (above === 0) return String(event.card)
      above--
    } else if ((event.kind === 'played' && event.tree === board) || (event.kind === 'danced' && event.to === board)) above++
    else if (event.kind === 'scattered' && event.tree === board) return '?'
  }
  const final = treeOf(last, board)
  return above === 0 && final?.top ? final.top : '?'
}
