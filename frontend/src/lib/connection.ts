/** What goes on between a page and the server: what was asked and not answered yet. None of it is drawn. */
import type { Socket } from './socket'
import type { TableState } from './table.svelte'

/** A preview that was asked for. */
export interface About {
  move: string
  anchor: string | null
  revision: number
}

export interface Connection {
  socket: Socket
  /** Previews under way: the id sent, and which move and piece they were about. */
  asked: Map<string, About>
  /** Previews still to be asked for: the server answers only so many a second. */
  waiting: About[]
  /** Wishes that are no moves and have not been answered: said again after a lost connection. */
  wishes: Map<string, Record<string, unknown>>
  budget: number
  refill: number
  /** Ends the pause of the event that is being shown. */
  wake: (() => void) | null
  showing: boolean
  /** New whenever everything is shown anew: whatever was being shown then stops. */
  epoch: number
  /** Our move is durable as this revision; what it brought may still be under way. */
  played: number | null
  /** We have asked for the whole story once more. */
  anew: boolean
  regreeted: number
  /** Lines of the story that are to be watched again once the server has said how the table stood: the id sent, and their places. */
  again: { id: string; places: number[] } | null
  /** The revision for which the coach has been asked on this connection. */
  coachedAt: number | null
}

export const connections = new WeakMap<TableState, Connection>()

/** Previews at once; after a pause one more may be asked for. */
export const PREVIEWS_AT_ONCE = 8

/** A connection on which nothing has been said yet. */
export const connectionOver = (socket: Socket): Connection => ({
  socket,
  asked: new Map(),
  waiting: [],
  wishes: new Map(),
  budget: PREVIEWS_AT_ONCE,
  refill: 0,
  wake: null,
  showing: false,
  epoch: 0,
  played: null,
  anew: false,
  regreeted: -1,
  coachedAt: null,
  again: null,
})

export const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join('')
