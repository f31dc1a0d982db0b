/** The HTTP side of the server: plain functions, one error type. */
import type { FigureShown, GameInfo, MadeTable, SessionMade, StageShown, Standing, TableAsked, TableShown, Version } from './protocol'

export class ApiError extends Error {
  constructor(
    public status: number,
    public code: string,
    message: string,
    public entry: string | null = null,
    public params: Record<string, unknown> = {},
  ) {
    super(message)
  }
}

declare global {
  /** What the page has asked for while its scripts were on their way, by address: see early.js. Good for one answer each. */
  var asked: Record<string, Promise<Response>> | undefined
}

function early(path: string): Promise<Response> | undefined {
  const answer = globalThis.asked?.[path]
  if (answer) delete globalThis.asked![path]
  return answer
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response
  try {
    answer = await ((init ? undefined : early(path)) ?? fetch(path, init))
  } catch {
    throw new ApiError(0, 'unreachable', 'the server cannot be reached')
  }
  const body = await answer.json().catch(() => null)
  if (!answer.ok) {
    const error = body?.error ?? {}
    throw new ApiError(answer.status, error.code ?? 'unknown', error.message ?? answer.statusText, error.entry ?? null, error.params)
  }
  return body as T
}

const post = (body: unknown, token?: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
  body: JSON.stringify(body),
})

let gamesAsked: Promise<GameInfo[]> | null = null

/** The games as the server describes them; asked once. */
export function games(): Promise<GameInfo[]> {
  gamesAsked ??= ask<GameInfo[]>('/api/games').catch((problem: unknown) => {
    gamesAsked = null
    throw problem
  })
  return gamesAsked
}

export const version = () => ask<Version>('/api/version')

export const makeTable = (table: TableAsked) => ask<MadeTable>('/api/tables', post(table))

/** Exchange a key for a session; with a name one is called by it from then on. `beside`: a session of who sits at this device already. */
export const openSession = (table: string, key: string, name = '', beside?: string) =>
  ask<SessionMade>(`/api/tables/${table}/session`, post({ ...(name && { name }), ...(beside && { beside }) }, key))

/** Take any open seat. */
export const sit = (table: string, name: string) =>
  ask<SessionMade & { seat: number; key: string }>(`/api/tables/${table}/sit`, post({ seat: null, name }))

export const rematch = (table: string, session: string, handicap: boolean, cards: string[] | null) =>
  ask<MadeTable>(`/api/tables/${table}/rematch`, post({ handicap, cards }, session))

/** The stages of a game's lesson. */
export const lesson = (game: string) => ask<StageShown[]>(`/api/lessons/${encodeURIComponent(game)}`)

/** The figures of "How to play", as positions for the game's own board. */
export const figures = (game: string) => ask<FigureShown[]>(`/api/lessons/${encodeURIComponent(game)}/figures`)

export const deleteTable = (table: string, session: string) =>
  ask<unknown>(`/api/tables/${table}`, { method: 'DELETE', headers: { authorization: `Bearer ${session}` } })

/** What may be known of a table; with a key, also which seat it opens. */
export const tableInfo = (table: string, key?: string) =>
  ask<TableShown>(`/api/tables/${encodeURIComponent(table)}`, key ? { headers: { authorization: `Bearer ${key}` } } : undefined)

/** Tables with a seat that anybody may take. */
export const openTables = () => ask<TableShown[]>('/api/tables')

export const standings = (sessions: { table: string; session: string }[]) => ask<Standing[]>('/api/mine', post({ sessions }))
