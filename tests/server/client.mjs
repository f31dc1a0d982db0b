// A client in another language, written from docs/protocol.md alone: plays whole games at a table by its link, and says how each ended.
// node --experimental-websocket client.mjs LINK...
const wait = (ms) => new Promise((done) => setTimeout(done, ms))

async function open(link) {
  const { origin, pathname, hash } = new URL(link)
  const table = pathname.split('/').at(-1)
  const answer = await fetch(`${origin}/api/tables/${table}/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hash.slice(1)}` },
  })
  if (!answer.ok) throw new Error((await answer.json()).error.code)
  return { address: `${origin.replace('http', 'ws')}/api/tables/${table}/play`, ...(await answer.json()) }
}

function play(link) {
  return new Promise((done, fail) => {
    open(link).then(({ address, session, seat }) => {
      const socket = new WebSocket(address)
      let allowance = { a_second: 1, at_once: 1, costs: {} }
      let left = 0
      let counted = Date.now()
      let asked = -1
      let events = 0

      async function say(message) {
        const cost = allowance.costs[message.type] ?? 1
        const now = Date.now()
        left = Math.min(allowance.at_once, left + ((now - counted) / 1000) * allowance.a_second) - cost
        counted = now
        if (left < 0) await wait((-left / allowance.a_second) * 1000)
        socket.send(JSON.stringify(message))
      }

      function look(state) {
        if (state.result) {
          socket.close()
          done({ seat, end: state.result.end, places: state.result.places, events, secret: state.secret })
        } else if (state.turn === seat && state.presence[seat] !== 'bot' && state.revision !== asked) {
          asked = state.revision
          const move = state.legal[(state.revision * 7919) % state.legal.length]
          void say({ type: 'move', id: `m${state.revision}`, revision: state.revision, move })
        }
      }

      socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', session, revision: null }))
      socket.onerror = () => fail(new Error('the connection failed'))
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data)
        switch (message.type) {
          case 'welcome':
            allowance = message.allowance
            left = allowance.at_once - (allowance.costs.hello ?? 1)
            look(message)
            break
          case 'events':
            events += message.events.length
            look(message)
            break
          case 'state':
            look(message)
            break
          case 'refused':
            fail(new Error(`refused: ${message.reason.code}`))
            break
          case 'error':
            fail(new Error(`sent away: ${message.code}`))
        }
      }
    }, fail)
  })
}

for (const ended of await Promise.all(process.argv.slice(2).map(play))) console.log(JSON.stringify(ended))
