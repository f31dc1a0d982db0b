/** The HTTP side of the server: plain functions, one error type. */
import type { GameInfo, MadeTable, SeatInfo } from './protocol'

export class ApiError extends Error {
  constructor(
    public status: number,
    public code: string,
    message: string,
    public entry: string | null = null,
  ) {
    super(message)
  }
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response
  try {
    answer = await fetch(path, init)
  } catch {
    throw new ApiError(0, 'unreachable', 'the server cannot be reached')
  }
  const body = await answer.json().catch(() => null)
  if (!answer.ok) {
    const error = body?.error ?? {}
    throw new ApiError(answer.status, error.code ?? 'unknown', error.message ?? answer.statusText, error.entry ?? error.params?.entry ?? null)
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

export const version = () => ask<{ version: string; build: string }>('/api/version')

export interface NewTable {
  game: string
  seats: SeatInfo[]
  options?: Record<string, unknown>
  components?: Record<string, unknown> | null
}

export const makeTable = (table: NewTable) =>
  ask<MadeTable>('/api/tables', post({ options: {}, components: null, clock: { kind: 'none', seconds: 0 }, seed: null, ...table }))

export const openSession = (table: string, key: string) =>
  ask<{ session: string; seat: number | null; table: string }>(`/api/tables/${table}/session`, post({}, key))

export const rematch = (table: string, session: string, handicap: boolean) =>
  ask<MadeTable>(`/api/tables/${table}/rematch`, post({ handicap }, session))

/** What may be known of a table without a key. */
export const tableInfo = (table: string) => ask<{ game: string }>(`/api/tables/${encodeURIComponent(table)}`)
