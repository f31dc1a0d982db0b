/** What a folder under `games/` must bring: an `index.ts` that exports a `face`, and a `Vignette.svelte`, the drawing on its card. */
import type { Component } from 'svelte'
import type { Because, Foreseen, GameEvent, OptionText } from './protocol'
import type { TableState } from './table.svelte'
import type { Params } from './words.svelte'

export const PRESETS = ['short', 'handicap'] as const
export type PresetName = 'standard' | (typeof PRESETS)[number]

export interface Preset {
  options?: Record<string, unknown>
  components?: Record<string, unknown>
}

/** What every page knows of a game; loaded with the first page, so it is kept small. */
export interface GameFace {
  name: string
  order: number
  /** The prefix of its rules' numbers: `DW`. */
  rulePrefix: string
  /** Tables as people often want them, beside the standard one: what differs, for whoever sits at that seat. */
  presets?: Partial<Record<(typeof PRESETS)[number], (components: Record<string, unknown>, seat: number) => Preset>>
  /** By option: to which group of variants it belongs, where that is not its kind's. */
  variants?: Record<string, VariantGroup>
  /** Keys of its own, for the list of keys. */
  keys?: KeyText[]
  /** The table itself, loaded when somebody sits down; none while the game cannot be played in the browser. */
  table?: () => Promise<GameTable>
}

export type VariantGroup = 'start' | 'length' | 'handicap' | 'rulings' | 'numbers'

/** A key in the list of keys. The catalogues say under `does` what it does, and which key it is unless `press` says so. */
export interface KeyText {
  press?: string
  does: string
}

/** A sentence to be said: a key of the catalogues with its parameters. */
export interface Saying {
  key: string
  params?: Params
}

/** One legal move in words. */
export interface MoveText {
  move: string
  saying: Saying
  /** A short form for a grid, if the move stands in one. */
  short?: Saying
}

export interface MoveGroup {
  saying: Saying
  moves: MoveText[]
}

/** One event on the stage: how long it is shown, the view while it is under way (what moves is in the air), and the view after it. */
export interface Scene<V = AnyView> {
  event: GameEvent
  during: V
  view: V
  ms: number
  /** Why it happens, as the server told beside it. */
  because?: Because[]
}

/**
 * A game brings a `GameTable` of its own view. The frame hands a view on without looking into it, and serves every game with the same code;
 * only there the type is left open.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyView = any

/** A sentence beside the lines of an outcome. */
export interface Remark {
  text: string
  tone: 'soft' | 'loud' | 'bad'
  /** Behind the lines, not before them. */
  after?: boolean
}

export interface Foretelling<V = AnyView> {
  /** Kinds of event that have a line. */
  kinds: string[]
  /** What of an outcome may have lines at all: what comes of the move itself, where others would go on at once. */
  own?(foreseen: Foreseen[], table: TableState<V>): Foreseen[]
  /** Those of them that weigh most. */
  loud?: string[]
  /** What is to be said beside the lines. */
  notes?(foreseen: Foreseen[], table: TableState<V>): Remark[]
  /** What a line adds where its event may come out otherwise. */
  unsure?(one: Foreseen): Saying | null
}

export interface GameTable<V = AnyView> {
  /** The prefix of its entries in the catalogues: `dw`. */
  prefix: string
  /** Whether nothing is hidden from who sits at the table: then people at one device need no screen between them. */
  open?: boolean
  /** How a card is called that who sits at a seat next time may leave out of his deck, where whoever keeps winning does. */
  handicap?: (card: string, seat: number) => Saying
  Board: Component<{ table: TableState<V> }>
  Hand: Component<{ table: TableState<V> }>
  /** One part of the board by itself, for figures that speak of that part only. */
  Figure?: Component<{ table: TableState<V>; part: string }>
  /** How a value is drawn within a sentence of the log: a card, a tree. */
  Chip: Component<{ name: string; value: unknown }>
  /** How a move's foreseen outcome is read; without it, all that has a line in the log. */
  foretold?: Foretelling<V>
  /** What is asked of this seat now, naming no other moves than these; or what is being waited for. */
  asks(view: V, seat: number | null, turn: number | null, moves: string[]): Saying
  moves(legal: string[], view: V, seat: number): MoveGroup[]
  /** A move for who reads of it away from the table, where its short words leave open what was moved or ended. */
  inFull?(move: string, view: V): Saying | null
  /** Whom the seats are, as keys of the catalogues. */
  seatNames: string[]
  /** Events with which the result begins, besides `ended`: whoever tells of a stroke of luck in the last step stops there. */
  closings?: string[]
  /** An event on the stage. `rest` are the events still to come, `last` the view after all of them. */
  scene(view: V, event: GameEvent, rest: GameEvent[], last: V): Scene<V>
  /** How this page says an event, where it draws what the catalogue's own line spells out. */
  says?(event: GameEvent): Saying | null
  /** Whether an event has a line in the log. */
  told(event: GameEvent): boolean
  /** Whether a new paragraph of the log begins with an event. */
  begins(event: GameEvent): boolean
  /** What a move will bring in two or three signs, for the list of moves and for small screens. */
  outlook(foreseen: Foreseen[], seat: number, view: V): string
  /** The same in words, where signs need explaining and there is a line for it. */
  outlookInWords?(foreseen: Foreseen[], seat: number, view: V): string
  /** Whether looking ahead can say anything now; always, unless told. */
  foretells?(view: V): boolean
  /** What a move costs that nobody should pay by accident: such a move is asked about first, however it was chosen. */
  warns?(move: string, view: V, seat: number): string | null
  /** Whether a move is played by its first tap: it can be taken back and means only one thing. */
  atOnce?(move: string, legal: string[]): boolean
  /** Whether an event is bad for who sits there: nothing that speaks for a move. */
  harms?(event: GameEvent, seat: string): boolean
  /** Where on the board events happened, as names of the game's own: lit up while a line of the story is pointed at. */
  places?(events: GameEvent[]): string[]
  /** Forced parts of a move of one's own that surprise nobody, by their reasons' codes: the page does not stop for them. */
  trifles?: string[]
  /** What a player did in his turns, in a few short sentences without a subject. */
  recap?(events: GameEvent[]): Saying[]
}

/** A table of the components that is edited in the laboratory: as it is printed, as it is now, and how one entry is put by its path. */
export interface Edited<T> {
  name: string
  printed: T
  value: T
  put: (path: string, value: unknown) => void
}
// oxlint-disable-next-line typescript/no-explicit-any
type Editor = Component<Edited<any>>
const editors = import.meta.glob<{ default: Editor }>('../games/*/Components.svelte')
/** A game's own drawing of its components, to be edited; none if the game brings none. */
export const editorOf = async (game: string): Promise<Editor | null> =>
  (await editors[`../games/${game}/Components.svelte`]?.())?.default ?? null

const found = import.meta.glob<{ face: GameFace }>('../games/*/index.ts', { eager: true })

export const faces: GameFace[] = Object.values(found)
  .map((module) => module.face)
  .sort((one, other) => one.order - other.order)

export const faceOf = (name: string): GameFace | undefined => faces.find((face) => face.name === name)

/** To which group of variants an option belongs: a reading of the rules is a choice or a yes, never a number. */
export const groupOf = (game: string, option: OptionText): VariantGroup =>
  option.seat ? 'start' : (faceOf(game)?.variants?.[option.name] ?? (option.kind === 'int' ? 'numbers' : 'rulings'))

/** What a move is called in reviews and puzzles: in full. */
export const spelledOut = (game: GameTable, move: string, view: AnyView, seat: number): Saying | undefined =>
  game.inFull?.(move, view) ?? game.moves([move], view, seat)[0]?.moves[0]?.saying
