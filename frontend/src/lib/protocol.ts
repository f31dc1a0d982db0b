/** The messages of docs/protocol.md, as types. What a game fills in itself (its view, its events) stays open here. */

export interface GameEvent {
  kind: string
  rule?: string
  [param: string]: unknown
}

export type View = Record<string, unknown>

export interface Reason {
  code: string
  rule: string | null
  params: Record<string, unknown>
}

/** One thing that a move will bring: in `share` of the worlds, with what may happen instead. */
export interface Foreseen {
  event: GameEvent
  share: number
  instead: { event: GameEvent; share: number }[]
}

export interface OptionText {
  name: string
  kind: 'choice' | 'bool' | 'int' | 'cards'
  default: unknown
  rule: string
  low?: number
  high?: number
  choices?: string[]
  /** Its value is a seat; the default stands for none of them. */
  seat?: boolean
}

export interface GameInfo {
  name: string
  title: string
  players: [number, number]
  seat_names: string[]
  playable: boolean
  options: OptionText[]
  components: Record<string, unknown>
  provenance: Provenance
  bots: BotInfo[]
}

/** A bot on the menu: its level and its measured strength in Elo, where it has them. */
export interface BotInfo {
  name: string
  level: number | null
  elo: number | null
  within: number | null
}

/** What is thought of a move: the chance to win after it, and the half-width of its 95 % interval. */
export interface Hinted {
  move: string
  value: number
  within: number
}

export type Provenance = Record<string, { status: string; note: string }>

export interface SeatInfo {
  kind: 'person' | 'bot' | 'open'
  name?: string | null
  /** The bot that plays there now. */
  bot?: string | null
  /** Why a person's seat is played by a bot to the end. */
  out?: 'resigned' | 'time' | null
}

export interface ClockRules {
  kind: 'none' | 'move' | 'game'
  seconds: number
}

/** Milliseconds left to each seat as of sending, and whose clock runs. */
export interface Clocks {
  left: number[]
  running: number | null
}

/** Something that is not a move. */
export interface Note {
  kind: string
  seat?: number
  by?: number
  agree?: boolean
  seen?: boolean
  name?: string
}

export interface TableInfo {
  game: string
  options: Record<string, unknown>
  components: Record<string, unknown>
  provenance: Provenance
  seats: SeatInfo[]
  commitment: string
  auditable: boolean
  secret?: string | null
  clock?: ClockRules
  series?: { streaks?: number[]; game?: number }
}

export interface Result {
  end: string
  places: number[]
}

export interface StateFields {
  revision: number
  view: View
  legal: string[]
  can_undo: boolean
  has_moved: boolean
  turn: number | null
  presence: string[]
  result: Result | null
  undo_asked_by: number | null
  undo_waiting?: number[]
  secret?: string | null
  seats?: SeatInfo[]
  clocks?: Clocks | null
  rematch?: string | null
  note?: Note | null
}

export type ServerMessage =
  | ({ type: 'welcome'; table: TableInfo; seat: number | null; build: string; missed?: GameEvent[] | null } & StateFields)
  | ({ type: 'state' } & StateFields)
  | ({ type: 'events'; events: GameEvent[] } & StateFields)
  | { type: 'ack'; id: string; revision: number }
  | { type: 'refused'; id: string; reason: Reason }
  | { type: 'previewed'; id: string; foreseen: Foreseen[] }
  | { type: 'hinted'; id: string; revision: number; moves: Hinted[] }
  | { type: 'error'; code: string; message: string }
  | { type: 'pong'; id: string }

export interface MadeTable {
  table: string
  keys: (string | null)[]
  watch: string
  commitment: string
}
