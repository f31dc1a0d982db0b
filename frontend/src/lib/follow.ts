/** Being able to follow: what each player did since our turn, the places of a line of the story, and turns that are watched once more. */
import { changed, type Change } from './changes'
import type { GameTable, Saying, Scene } from './game'
import { connections, newId, type Connection } from './connection'
import type { GameEvent, ShownAgain, View } from './protocol'
import { moves } from './settings.svelte'
import { stand, watched } from './stage'
import type { TableState, Told } from './table.svelte'

/** What one player did since our turn. */
export interface Doings {
  seat: string
  told: Told[]
}

/** Whose doing each line is: that of whose turn it was; before the first turn, of whoever an event names. */
function actors(log: Told[], game: GameTable): (string | null)[] {
  let heading: GameEvent | null = null
  return log.map(({ event }) => {
    if (event && game.begins(event)) heading = event
    const named = (heading ?? event)?.seat
    return typeof named === 'string' ? named : null
  })
}

/** What the others did since our seat last did something, player by player. */
export function sinceOurTurn(log: Told[], game: GameTable, seat: number): Doings[] {
  const whose = actors(log, game)
  const me = game.seatNames[seat]
  const ours = log.findLastIndex(({ event, undone }, i) => event !== null && !undone && whose[i] === me && !game.begins(event))
  const found = new Map<string, Told[]>()
  for (let i = ours + 1; i < log.length; i++) {
    const [told, who] = [log[i]!, whose[i]]
    if (told.event && !told.undone && who && who !== me) found.set(who, [...(found.get(who) ?? []), told])
  }
  return [...found].map(([who, told]) => ({ seat: who, told }))
}

/** Whether our seat has done something yet. */
export function hasActed(table: TableState): boolean {
  if (table.seat === null) return false
  const whose = actors(table.log, table.game)
  return table.log.some(
    ({ event, undone }, i) => event !== null && !undone && !table.game.begins(event) && whose[i] === table.game.seatNames[table.seat!],
  )
}

const eventsOf = (told: Told[]): GameEvent[] => told.flatMap(({ event }) => event ?? [])

/** A turn in a line or two; a game that has no words for that tells its first events. */
export function inShort(told: Told[], game: GameTable): Saying[] {
  const events = eventsOf(told)
  if (game.recap) return game.recap(events)
  return events
    .filter((event) => game.told(event) && !game.begins(event))
    .slice(0, 2)
    .map((event) => ({ key: `event.${game.prefix}.${event.kind}`, params: event }))
}

/** What there is to tell at our turn, with its words. */
export const recapOf = (table: TableState): (Doings & { said: Saying[] })[] =>
  table.seat === null || table.scene || table.result
    ? []
    : sinceOurTurn(table.log, table.game, table.seat)
        .map((doings) => ({ ...doings, said: inShort(doings.told, table.game) }))
        .filter(({ said }) => said.length > 0)

// --- Places

/** Light up the places of lines of the story. */
export function light(table: TableState, told: Told[]): void {
  table.lit = eventsOf(told)
}

export function dim(table: TableState): void {
  table.lit = []
}

// --- Once more

/** What is watched again, and the view to which the board returns. */
const runs = new WeakMap<TableState, { view: unknown }>()

/** How a line was shown is kept, or can be asked for; nobody knows how the table stood before what was taken back. */
const isUnknown = ({ event, scene, undone }: Told): boolean => event !== null && scene === undefined && !undone

export const canWatch = (told: Told[]): boolean => told.some((one) => one.scene || isUnknown(one))

/** The story as the server counts it: what was told and not taken back. */
const standing = (table: TableState): Told[] => table.log.filter(({ event, undone }) => event && !undone)

/** Ask how the table stood when these lines were told: they are watched once that is known. */
function ask(table: TableState, connection: Connection, told: Told[]): void {
  const wanted = new Set(told)
  const places = standing(table).flatMap((one, place) => (wanted.has(one) ? place : []))
  const unknown = places.filter((place) => isUnknown(standing(table)[place]!))
  connection.again = { id: newId(), places }
  connection.socket.send({ type: 'again', id: connection.again.id, revision: table.revision, first: unknown[0], last: unknown.at(-1) })
}

/** How the table stood while some lines were told: from now on they can be watched. */
export function shownAgain(table: TableState, connection: Connection, answer: ShownAgain): void {
  if (connection.again?.id !== answer.id) return
  const { places } = connection.again
  connection.again = null
  const all = standing(table)
  const scenes = new Map<Told, Scene | null>()
  let view = answer.view
  let place = answer.first
  for (const step of answer.steps) {
    const last = changed(view, step.changes as Change[])
    const told = all.slice(place, (place += step.events))
    const events = eventsOf(told)
    told.forEach((one, i) => {
      const scene = { ...table.game.scene(view, events[i]!, events.slice(i + 1), last), because: one.because }
      scenes.set(one, watched(scene))
      view = scene.view as View
    })
    view = last
  }
  table.log = table.log.map((one) => (isUnknown(one) && scenes.has(one) ? { ...one, scene: scenes.get(one) } : one))
  const known = standing(table)
  void watchAgain(
    table,
    places.flatMap((at) => known[at] ?? []),
    true,
  )
}

/** Show lines of the story once more as they were shown; whatever happens meanwhile comes first. */
export async function watchAgain(table: TableState, told: Told[], asked = false): Promise<void> {
  const connection = connections.get(table)
  if (!connection || connection.showing || (table.scene && !runs.has(table))) return
  if (!asked && told.some(isUnknown)) return ask(table, connection, told)
  stopWatching(table)
  const run = { view: table.shown }
  runs.set(table, run)
  dim(table)
  for (const { scene } of told) {
    if (!scene) continue
    await stand(table, scene, connection, 0)
    if (runs.get(table) !== run) return
    table.shown = scene.view
    if (table.skipping) break
  }
  stopWatching(table)
}

/** Back to the table as it stands now. */
export function stopWatching(table: TableState): void {
  const run = runs.get(table)
  if (!run) return
  runs.delete(table)
  connections.get(table)?.wake?.()
  table.scene = null
  table.shown = run.view
  table.skipping = false
  table.hurried = false
}

/** Show the rest of what is under way faster. */
export function hurryUp(table: TableState): void {
  if (!table.scene) return
  table.hurried = true
  connections.get(table)?.wake?.()
}

/** Without motion each line is a short pause anyway. */
export const mayHurry = (table: TableState): boolean => table.scene !== null && !table.hurried && moves()
