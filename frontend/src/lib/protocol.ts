/** The messages of docs/protocol.md, as types. Made by `python -m drunemeton.server.protocol_page`: do not edit. */

/** A server that says another number wants the page to be loaded anew. */
export const PROTOCOL = 1

/** What a watcher is shown of a game: each game has its own. */
export type View = Record<string, unknown>

/** Something that happened in a game, as one watcher is told it; each kind has its own parameters. */
export interface GameEvent {
  kind: string
  /** The number of the rule that it carries out. */
  rule?: string
  [param: string]: unknown
}

/** What is known of an entry of the components: `sourced` or `reconstructed`, and a note. */
export interface Fact {
  status: string
  note: string
}

/** Why something is refused: a code with parameters for the catalogues, and the rule. */
export interface Reason {
  code: string
  rule: string | null
  params: Record<string, unknown>
}

/** Why something happened, made from what this watcher was told; no part of a record. The catalogues say it under `because.CODE`. */
export interface Because {
  /** The place of the event in the list beside it. */
  at: number
  code: string
  params: Record<string, unknown>
  /** It was a decision that nobody was asked for, and the code says why nothing else was possible. */
  forced: boolean
}

/** An event, and in which share of the worlds it happens. */
export interface Likely {
  event: GameEvent
  share: number
}

/** One thing that a move will bring: in `share` of the worlds, with what may happen instead. */
export interface Foreseen extends Likely {
  instead: Likely[]
  because: Because[]
}

/** What is thought of a move: the chance to win after it, and the half-width of its 95 % interval. */
export interface Hinted {
  move: string
  value: number
  within: number
}

/** Something that matters before a decision. The catalogues say it under `coach.CODE`. */
export interface Advice {
  code: string
  rule: string
  params: Record<string, unknown>
  /** Moves that show that somebody knows the rule. */
  right: string[]
}

/** A seat as everybody may know it. */
export interface SeatInfo {
  kind: 'person' | 'bot' | 'open'
  name: string
  /** The bot that plays there now. */
  bot: string | null
  /** Why a person's seat is played by a bot to the end. */
  out: 'resigned' | 'time' | null
}

/** What kind of clock a table has: none, for each decision, or for the whole game. */
export interface ClockRules {
  kind: 'none' | 'move' | 'game'
  seconds: number
}

/** Milliseconds left to each seat as of sending, and whose clock runs. */
export interface Clocks {
  left: number[]
  running: number | null
}

/** One thing that a seat's result is made of, by a code of the game's own. */
export interface Share {
  code: string
  count: number
  /** Out of so many. */
  of: number | null
  /** That it counts for. */
  points: number | null
}

/** What a result is made of. */
export interface Tally {
  /** Of each seat, what decides first. */
  seats: Share[][]
  /** Of the game as a whole. */
  game: Share[]
}

/** How a game ended: one of its own ends, `resigned` or `time`; and each seat's place. */
export interface Result {
  end: string
  places: number[]
  /** What it is made of; not told with a replay. */
  tally?: Tally | null
}

/** Game after game between the same players. */
export interface Series {
  streaks?: number[] | null
  handicap?: string[][] | null
  game?: number | null
  previous?: string | null
  came_from?: number[] | null
}

/** A stage of a lesson: its words are in the catalogues, under `lesson.PREFIX.NAME`. */
export interface LessonStage {
  name: string
  number: number
  /** What it teaches. */
  rules: string[]
  /** A short game, and nothing else to reach. */
  closing: boolean
  /** One way to the goal. */
  solution: string[]
  /** What its words point at, as `about` names it. */
  point: string[]
  /** Of which moves the question speaks, by their first word; of all if there is none. */
  asks: string[]
}

/** What everybody at a table may know of it, apart from the play. */
export interface TableInfo {
  id: string
  game: string
  options: Record<string, unknown>
  components: Record<string, unknown>
  provenance: Record<string, Fact>
  seats: SeatInfo[]
  clock: ClockRules
  /** SHA-256 of the shuffle's secret. */
  commitment: string
  /** False: the shuffle comes from a typed seed. */
  auditable: boolean
  /** Of the shuffle, once the game is over. */
  secret: string | null
  series: Series
  /** Its maker lets people write to each other. */
  chat: boolean
  /** The game began at an arranged position: its shuffle is not auditable. */
  arranged: boolean
  /** The stage of a lesson that is played here. */
  lesson: LessonStage | null
}

/** A change that is not a move. */
export interface Note {
  kind:
    | 'undo'
    | 'undo_asked'
    | 'undo_answered'
    | 'resigned'
    | 'flagged'
    | 'bot_takes'
    | 'bot_returns'
    | 'sat'
    | 'entered'
    | 'resumed'
    | 'rematch'
    | 'reviewed'
  seat?: number | null
  /** How many are taken back. */
  steps?: number | null
  /** Cards were seen that are hidden again now; who saw them still knows them. */
  seen?: boolean | null
  agree?: boolean | null
  bot?: string | null
  /** The seat that asked for it. */
  by?: number | null
  name?: string | null
  /** Where these players go on. */
  table?: string | null
  /** How many of the events that this watcher was told are taken back. */
  events?: number | null
}

/** How much a server takes of one connection: so many a second, so many at once; and the messages that count for more than one. */
export interface Allowance {
  a_second: number
  at_once: number
  costs: Record<string, number>
}

/** What a watcher is shown now. */
export interface StateFields {
  /** Counts everything that changed what anybody sees. */
  revision: number
  /** The game's own; null while somebody is waited for. */
  view: Record<string, unknown> | null
  /** The rule that matters for what is to be decided now. */
  rule: string | null
  /** Move texts, only for the seat on turn. */
  legal: string[]
  /** The own last step can be taken back at once. */
  can_undo: boolean
  /** There is a step of one's own to take back, if need be by asking. */
  has_moved: boolean
  /** The seat that must decide. */
  turn: number | null
  seats: SeatInfo[]
  /** Seats that nobody has entered yet: nothing is dealt before. */
  waiting_for: number[]
  /** Of each seat: how many secrets it was told in steps that were taken back by consent. */
  seen: number[]
  /** Of each seat. */
  presence: ('here' | 'away' | 'bot' | 'open')[]
  /** The seats whose persons let everybody see the chances while they play. */
  agreed: number[]
  clocks: Clocks | null
  result: Result | null
  undo_asked_by: number | null
  /** The seats that have yet to answer. */
  undo_waiting: number[]
  /** Of the shuffle, once the game is over. */
  secret: string | null
  /** The next table of these players. */
  rematch: string | null
  /** The goal of the stage is reached. */
  lesson_done: boolean
  /** Of each seat, at the end: cards to leave out in a rematch, one of each list. */
  left_out: string[][][]
  /** What has changed, if it is not a move. */
  note?: Note | null
}

/** The first message: who speaks. Sent again after a gap in the revisions. */
export interface SaidHello {
  type: 'hello'
  session: string
  /** Of the page that speaks. */
  build?: string | null
  /** What the client shows already: it is told only what it missed. */
  revision?: number | null
  /** Sessions of further seats whose people sit at the same device. */
  beside?: string[]
}

/** Play a move. */
export interface SaidMove {
  type: 'move'
  /** The client's own, unique. */
  id: string
  /** The revision that the client saw. */
  revision: number
  /** A move as text. */
  move: string
}

/** Ask what a move would bring, as far as one's seat can know. Beside the message it costs one's address what the looking takes. */
export interface SaidPreview {
  type: 'preview'
  /** The client's own, unique. */
  id: string
  /** The revision that the client saw. */
  revision: number
  /** A move as text. */
  move: string
}

/** Ask which moves are best, from what one's seat knows: only for the seat on turn, and only while all other seats are bots'. */
export interface SaidHint {
  type: 'hint'
  /** The client's own, unique. */
  id: string
  /** The revision that the client saw. */
  revision: number
}

/** Ask what a thing on the table is, and what it does now. */
export interface SaidAbout {
  type: 'about'
  /** The client's own, unique. */
  id: string
  /** Such as `place:7`; each game names its own. */
  what: string
}

/** Ask what matters now, and what came of the own last decision. With other people at the table only what everybody may see is said. */
export interface SaidCoach {
  type: 'coach'
  /** The client's own, unique. */
  id: string
  /** The revision that the client saw. */
  revision: number
}

/** Ask for the table as this watcher saw it then: before and after the steps that told some of his events. */
export interface SaidAgain {
  type: 'again'
  /** The client's own, unique. */
  id: string
  /** The revision that the client saw. */
  revision: number
  /** The place of the first event in all that he was told since the table began. */
  first: number
  /** Of the last one. */
  last: number
}

/** Take the own last step back, or ask the others to agree. */
export interface SaidUndo {
  type: 'undo'
  /** The client's own, unique. */
  id: string
}

/** Agree to what another asks to take back, or not. */
export interface SaidUndoAnswer {
  type: 'undo_answer'
  /** The client's own, unique. */
  id: string
  agree: boolean
}

/** Give up. */
export interface SaidResign {
  type: 'resign'
  /** The client's own, unique. */
  id: string
}

/** A bot plays one's seat until it is handed back; or another's, once that person has been away for a minute. */
export interface SaidBotTakes {
  type: 'bot_takes'
  /** The client's own, unique. */
  id: string
  /** Another's. */
  seat?: number | null
}

/** The bot hands one's seat back. */
export interface SaidBotReturns {
  type: 'bot_returns'
  /** The client's own, unique. */
  id: string
}

/** Let everybody see the chances while one plays, from what all can see; or no longer. It takes every person at the table. */
export interface SaidAgree {
  type: 'agree'
  /** The client's own, unique. */
  id: string
  agree: boolean
}

/** Say one of a handful of phrases, or react, to the others at the table; nobody who only watches hears it, and no record holds it. */
export interface SaidPhrase {
  type: 'phrase'
  /** The client's own, unique. */
  id: string
  phrase: 'hello' | 'luck' | 'nice' | 'oops' | 'moment' | 'thanks' | 'joy' | 'wow' | 'sad' | 'think'
}

/** Write to the others at the table, where its maker lets people do that. */
export interface SaidChat {
  type: 'chat'
  /** The client's own, unique. */
  id: string
  text: string
}

/** Stay: a connection that says nothing for half an hour is closed. */
export interface SaidPing {
  type: 'ping'
  /** The client's own, unique. */
  id: string
}

/** The answer to `hello`: everything that a client needs to show the table. */
export interface Welcome extends StateFields {
  type: 'welcome'
  table: TableInfo
  /** Null: a spectator. */
  seat: number | null
  /** Which page this server hands out. */
  build: string
  /** Changes when a page that speaks another must be loaded anew. */
  protocol: number
  allowance: Allowance
  /** What happened since the revision that the client showed; null if something that it showed was taken back since. */
  missed: GameEvent[] | null
  /** Why. */
  because: Because[]
}

/** Something has changed that is not a move; without `note`, who is here. */
export interface State extends StateFields {
  type: 'state'
}

/** A move: the client animates the events, then shows the view. */
export interface Events extends StateFields {
  type: 'events'
  /** As told to this watcher, in order. */
  events: GameEvent[]
  /** Why. */
  because: Because[]
}

/** It is done, and durable. */
export interface Ack {
  type: 'ack'
  id: string
  revision: number
}

/** It is not done; nothing has changed. */
export interface Refused {
  type: 'refused'
  id: string
  reason: Reason
}

/** What a move would bring. */
export interface Previewed {
  type: 'previewed'
  id: string
  foreseen: Foreseen[]
}

/** Up to five moves, the best first. */
export interface HintGiven {
  type: 'hinted'
  id: string
  revision: number
  moves: Hinted[]
}

/** A reason for a move: what it wins, threatens or saves from. The catalogues say it under `why.CODE`. */
export interface WhyShown {
  code: string
  event: GameEvent
}

/** Why the first move of a hint looks better than the last; it comes after the hint, and not at all where nothing can be said. */
export interface Reasons {
  type: 'reasons'
  id: string
  revision: number
  reasons: WhyShown[]
}

/** Somebody at the table says something: a phrase, or a text of his own. */
export interface Spoken {
  type: 'said'
  seat: number
  phrase: 'hello' | 'luck' | 'nice' | 'oops' | 'moment' | 'thanks' | 'joy' | 'wow' | 'sad' | 'think' | null
  text: string | null
}

/** What a thing is and does now, with its rules; nothing for what is not there. The catalogues say it under `about.CODE`. */
export interface Explained {
  type: 'explained'
  id: string
  what: string
  told: Reason[]
}

/** What matters now, the most important first, and what came of the own last decision, under `coach.CODE`. */
export interface Coached {
  type: 'coached'
  id: string
  revision: number
  before: Advice[]
  after: Reason[]
}

/** A step as a watcher saw it. */
export interface SeenStep {
  /** How many events it told him. */
  events: number
  /** What it changed of his view: a path with its new value, or a path alone for what is gone. */
  changes: unknown[][]
}

/** What a watcher was shown then. */
export interface ShownAgain {
  type: 'again'
  id: string
  /** The place of the first step's first event in all that he was told. */
  first: number
  /** Before the first step. */
  view: Record<string, unknown>
  /** The first so many of those that were asked for. */
  steps: SeenStep[]
}

/** Something is wrong; the connection is closed after it. */
export interface SentAway {
  type: 'error'
  code: string
  message: string
}

/** The answer to `ping`. */
export interface Pong {
  type: 'pong'
  id: string
}

/** What went wrong: a code with parameters for the catalogues, and a sentence for developers. */
export interface Problem {
  code: string
  message: string
  rule: string | null
  params: Record<string, unknown>
  /** Which part of the request. */
  entry: string | null
}

/** An error. */
export interface Problems {
  error: Problem
}

/** That it is so. */
export interface Status {
  status: string
}

/** Which server this is, and who can get here. */
export interface Version {
  version: string
  /** Changes when the page must be loaded anew. */
  build: string
  /** What links to seats should begin with if it is not the page's own origin. */
  public_url: string | null
  /** Everybody, the local network, or this machine alone. */
  reach: 'public' | 'network' | 'machine'
  /** Where others in the local network find the server; told only to its own machine. */
  addresses: string[]
}

/** An option of a game. */
export interface OptionText {
  name: string
  kind: 'choice' | 'bool' | 'int' | 'cards'
  default: unknown
  rule: string
  low?: number | null
  high?: number | null
  choices?: string[] | null
  /** How cards are written, where it is a list of cards. */
  example?: string | null
  /** Its value is a seat; the default stands for none of them. */
  seat?: boolean | null
  [param: string]: unknown
}

/** A bot on the menu: its level and its measured strength in Elo, where it has them. */
export interface BotInfo {
  name: string
  level: number | null
  elo: number | null
  within: number | null
  [param: string]: unknown
}

/** A game. */
export interface GameInfo {
  name: string
  title: string
  players: [number, number]
  seat_names: string[]
  playable: boolean
  options: OptionText[]
  components: Record<string, unknown>
  provenance: Record<string, Fact>
  bots: BotInfo[]
  /** How many there are. */
  puzzles: number
}

/** A puzzle in the list of a game's; nothing of its solution. */
export interface PuzzleListed {
  id: string
  /** Of decision. */
  kind: string
  theme: 'finish' | 'strike' | 'prepare' | 'guard' | 'spare'
  /** How hard it is, from 1 on. */
  grade: number
  /** How often lower levels did not find it. */
  missed: number
}

/** Why the best move is better than another: `puzzles.why.CODE` of the catalogues says it. */
export interface PuzzleReason {
  code: string
  event: GameEvent | null
  /** In so many of the worlds that the seat has to reckon with the best move brings it. */
  share: number
  /** And the other one. */
  instead: number
  params: Record<string, unknown>
}

/** A legal move: the chance to win after it, what it would bring, and why the best one is better (for the best: than the next). */
export interface PuzzleMove {
  move: string
  value: number
  /** As `previewed` tells it. */
  foreseen: Foreseen[]
  why: PuzzleReason[]
}

/** A position that is drawn without a table, from what one seat knows. */
export interface Posed {
  game: string
  seat: number
  seats: number
  options: Record<string, unknown>
  components: Record<string, unknown>
  provenance: Record<string, Fact>
  /** The seat's own. */
  view: Record<string, unknown>
  legal: string[]
}

/** A puzzle with all that it takes to pose it and to answer every try, from what its seat knows. */
export interface PuzzleShown extends PuzzleListed, Posed {
  /** The best first. */
  moves: PuzzleMove[]
}

/** A figure of "How to play": a position of the lesson as its board draws it. */
export interface FigureShown extends Posed {
  name: string
  /** The move that lies ready. */
  show: string | null
  /** What that would bring, as `previewed` tells it. */
  foreseen: Foreseen[]
  /** Which part of the table is drawn; the game's page knows which there are. */
  part: string
  /** Of the window for which it is drawn, in pixels; it is shown as large as there is room. */
  width: number
  /** What is numbered, as `about` names it. */
  marks: string[]
}

/** Who shall sit at a seat. */
export interface SeatAsked {
  /** `person`, `bot` or `open`. */
  kind: string
  name?: string | null
  bot?: string | null
}

/** Which clock. */
export interface ClockAsked {
  /** `none`, `move` or `game`. */
  kind?: string
  seconds?: number
}

/** A position of a finished game. */
export interface PositionAsked {
  table: string
  /** As its record counts: 0 is set-up. */
  step: number
}

/** A table to be made. */
export interface TableAsked {
  game: string
  seats: SeatAsked[]
  options?: Record<string, unknown> | null
  components?: Record<string, unknown> | null
  clock?: ClockAsked | null
  /** Repeatable, for one device: other devices are refused. */
  seed?: number | null
  /** Begin at this stage of the game's lesson, with its options and components: arranged, not auditable. */
  stage?: string | null
  /** Begin where a finished game of this server stood, with its options, components and cards: arranged, not auditable. */
  position?: PositionAsked | null
  /** People may write to each other, not only say phrases. */
  chat?: boolean
  /** The stage is to be learnt: the first seat asked for is the learner's, and tries are judged. */
  lesson?: boolean
}

/** A stage of a game's lesson; its words are in the catalogues, under `lesson.PREFIX.NAME`. */
export interface StageShown {
  name: string
  number: number
  seats: number
  /** What it teaches. */
  rules: string[]
  /** A short game, and nothing else to reach. */
  closing: boolean
}

/** A new table: the keys of its seats, and one to watch with. */
export interface MadeTable {
  table: string
  /** Null where no key is for you. */
  keys: (string | null)[]
  watch: string
  commitment: string
  /** The own seat, after a rematch. */
  seat: number | null
}

/** What may be known of a table without a key. */
export interface TableShown {
  table: string
  game: string
  title: string
  seats: SeatInfo[]
  options: Record<string, unknown>
  clock: ClockRules
  over: boolean
  /** Seats that nobody has entered yet. */
  waiting_for: number[]
  /** The game begins at an arranged position: its shuffle is not auditable. */
  arranged: boolean
  /** The seat that the key opens, if one was sent along as Bearer. */
  seat?: number | null
}

/** A session, and the seat that it opens. */
export interface SessionMade {
  session: string
  /** Null: to watch. */
  seat: number | null
  table: string
  /** Makes the own link, after taking an open seat. */
  key: string | null
}

/** How somebody wants to be called. */
export interface NameAsked {
  name?: string | null
  /** A session of another seat at the same device: needed at a table with a typed seed. */
  beside?: string | null
}

/** Which open seat to take. */
export interface SitAsked {
  /** Null: any. */
  seat?: number | null
  name?: string
}

/** Whether the winner leaves cards out, and which. */
export interface RematchAsked {
  handicap?: boolean
  /** Such as `["2>"]`. */
  cards?: string[] | null
}

/** A session, and the table that it belongs to. */
export interface SessionAsked {
  table: string
  session: string
}

/** Sessions of tables at which somebody sits. */
export interface MineAsked {
  sessions: SessionAsked[]
}

/** How a table stands for who sits there. */
export interface Standing {
  table: string
  /** False for a table or a session that is no more. */
  there: boolean
  seat: number | null
  turn: number | null
  over: boolean
  seats: SeatInfo[]
  undo_waiting: number[]
  clocks: Clocks | null
  result: Result | null
  /** When something last changed there, in milliseconds since 1970. */
  changed: number | null
}

/** A step of a replay; frame 0 is set-up. */
export interface ReplayStep {
  seat: number | null
  /** Null where the watcher was not told its text. */
  move: string | null
  turn: number | null
  events: GameEvent[]
  because: Because[]
  /** Make the view before it the view after it, in their order: `[path, value]` sets (in a list, the place after the last appends; `length` cuts), `[path]` removes. */
  changes: unknown[][]
}

/** Whether the shuffles follow from the secret. */
export interface Shuffles {
  /** `seed`: typed, repeatable; `unknown`: no secret; `commitment`: the secret is not the one committed to; `shuffle`: one does not follow from it. */
  verdict: 'audited' | 'seed' | 'unknown' | 'commitment' | 'shuffle'
  /** Of the record, where one does not. */
  line: number | null
}

/** A finished game as one watcher saw it. */
export interface ReplayShown {
  game: string
  /** A seat's name, `public` or `open`. */
  as: string
  seat: number | null
  seats: SeatInfo[]
  options: Record<string, unknown>
  components: Record<string, unknown>
  provenance: Record<string, Fact>
  auditable: boolean
  commitment: string | null
  secret: string | null
  result: Result
  shuffles: Shuffles
  /** After set-up. */
  view: Record<string, unknown>
  frames: ReplayStep[]
}

/** A review as far as it is. */
export interface ReviewShown {
  id: string
  state: 'working' | 'ready' | 'failed'
  /** Steps that are judged. */
  done: number
  /** Steps in all; 0 until that is known. */
  steps: number
  /** Why there is none: `review.no.CODE` of the catalogues says it. */
  problem: string | null
  /** Docs/review.md; the graph alone while it is worked at. */
  review: Record<string, unknown> | null
}

/** The chances of a running game, as far as they are known. */
export interface ChancesShown {
  /** Steps so far; step 0 is set-up. */
  steps: number
  /** Every seat's chance to win after each step from 0 on, as far as that is known. */
  points: number[][]
  /** At which revision of the table each was reached: a page may still show an earlier one. */
  revisions: number[]
}

/** Whether experiments can be run here, and how large they may be. */
export interface LabOpen {
  open: boolean
  /** Games of one setting at most. */
  deals: number
  /** Settings at most, the default among them. */
  settings: number
  bots: string[]
}

/** One option, or one entry of the components by its path, and the values it takes in turn. */
export interface Varied {
  set: string
  to: unknown[]
}

/** Several changes that are one setting, under a name. */
export interface VariedTogether {
  together: Record<string, unknown>
  name: string
}

/** What is to be known, and how exactly. */
export interface LabQuestion {
  measure: string
  within: number
}

/** An experiment, as in a file (docs/lab.md). */
export interface LabAsked {
  game: string
  players: string[]
  deals?: number
  seed?: number
  mirrored?: boolean
  title?: string
  options?: Record<string, unknown>
  components?: Record<string, unknown>
  vary?: (Varied | VariedTogether)[]
  question?: LabQuestion | null
}

/** One game of a result: who played, with what, which deal. */
export interface LabGame {
  game: string
  players: string[]
  options?: Record<string, unknown>
  components?: Record<string, unknown>
  deal: number
}

/** An experiment that has begun. */
export interface LabBegun {
  run: string
}

export type ClientMessage =
  | SaidHello
  | SaidMove
  | SaidPreview
  | SaidHint
  | SaidAbout
  | SaidCoach
  | SaidAgain
  | SaidUndo
  | SaidUndoAnswer
  | SaidResign
  | SaidBotTakes
  | SaidBotReturns
  | SaidAgree
  | SaidPhrase
  | SaidChat
  | SaidPing

export type ServerMessage =
  Welcome | State | Events | Ack | Refused | Previewed | HintGiven | Reasons | Explained | Coached | ShownAgain | Spoken | SentAway | Pong
