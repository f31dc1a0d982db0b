/** One WebSocket to a table that comes back by itself after a lost connection. */
import type { ServerMessage } from './protocol'

export interface Socket {
  send(message: Record<string, unknown>): boolean
  close(): void
}

export interface SocketEars {
  /** What to say first: asked for at every (re)connection. */
  hello(): Record<string, unknown>
  hear(message: ServerMessage): void
  /** Whether the connection stands. */
  stands(open: boolean): void
}

const PAUSES = [300, 800, 2000, 4000, 8000]
/** How often we make sure that the other end is still there, and how long it may take to answer. */
const PING_MS = 25_000
const PONG_MS = 6_000

export function openSocket(table: string, ears: SocketEars): Socket {
  let socket: WebSocket | null = null
  let closed = false
  let tries = 0
  let timer = 0
  let pinging = 0
  let waiting = 0

  function connect(): void {
    clearTimeout(timer)
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const opening = new WebSocket(`${scheme}//${location.host}/api/tables/${table}/play`)
    socket = opening
    opening.onopen = () => opening.send(JSON.stringify({ type: 'hello', ...ears.hello() }))
    opening.onmessage = (message) => {
      clearTimeout(waiting)
      waiting = 0
      const heard = JSON.parse(message.data as string) as ServerMessage
      if (heard.type === 'welcome') {
        tries = 0
        ears.stands(true)
      }
      ears.hear(heard)
    }
    opening.onclose = () => lost(opening)
  }

  function lost(which: WebSocket): void {
    if (closed || socket !== which) return
    which.onmessage = which.onclose = which.onopen = null
    which.close()
    socket = null
    clearTimeout(waiting)
    waiting = 0
    ears.stands(false)
    // Not all at the same moment when a server comes back.
    const pause = PAUSES[Math.min(tries++, PAUSES.length - 1)]!
    timer = window.setTimeout(connect, pause * (0.75 + Math.random() / 2))
  }

  /** A connection may be dead without telling: ask, and give up on it if there is no answer. */
  function ping(): void {
    const asked = socket
    if (asked?.readyState !== WebSocket.OPEN || waiting) return
    asked.send(JSON.stringify({ type: 'ping', id: 'alive' }))
    waiting = window.setTimeout(() => lost(asked), PONG_MS)
  }

  /** The network is back, or the reader is: no need to wait any longer. */
  function hurry(): void {
    if (document.hidden) return
    if (socket === null) connect()
    else ping()
  }

  connect()
  pinging = window.setInterval(ping, PING_MS)
  addEventListener('online', hurry)
  addEventListener('offline', ping)
  document.addEventListener('visibilitychange', hurry)
  return {
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(JSON.stringify(message))
      return true
    },
    close() {
      closed = true
      clearTimeout(timer)
      clearTimeout(waiting)
      clearInterval(pinging)
      removeEventListener('online', hurry)
      removeEventListener('offline', ping)
      document.removeEventListener('visibilitychange', hurry)
      if (socket) socket.onmessage = socket.onclose = socket.onopen = null
      socket?.close()
      socket = null
    },
  }
}
