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
  /** Whether the line stands. */
  line(open: boolean): void
}

const PAUSES = [300, 800, 2000, 4000, 8000]

export function openSocket(table: string, ears: SocketEars): Socket {
  let socket: WebSocket | null = null
  let closed = false
  let tries = 0
  let timer = 0

  function connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    socket = new WebSocket(`${scheme}//${location.host}/api/tables/${table}/play`)
    socket.onopen = () => {
      tries = 0
      socket?.send(JSON.stringify({ type: 'hello', ...ears.hello() }))
      ears.line(true)
    }
    socket.onmessage = (message) => ears.hear(JSON.parse(message.data as string) as ServerMessage)
    socket.onclose = () => {
      if (closed) return
      ears.line(false)
      timer = window.setTimeout(connect, PAUSES[Math.min(tries++, PAUSES.length - 1)])
    }
  }

  connect()
  return {
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(JSON.stringify(message))
      return true
    },
    close() {
      closed = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}
