// 32 matches, two clients each, over socket.io: a move counts when both players hold the server's update.
const { fork } = require('child_process');
const { readFileSync } = require('fs');
const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { TicTacToe } = require('./game.js');

const SECONDS = Number(process.argv[2] || 6);
const MATCHES = 32;
const PORT = 20000 + Math.floor(Math.random() * 20000);
const log = console.log;
console.log = console.info = () => {};

function processor(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

class Match {
  constructor(number) {
    this.held = [0, 0];
    this.wake = null;
    this.clients = ['0', '1'].map((playerID, seat) => {
      const multiplayer = SocketIO({ server: `http://127.0.0.1:${PORT}` });
      const client = Client({ game: TicTacToe, multiplayer, matchID: `m${number}`, playerID, debug: false });
      client.start();
      client.transport.socket.on('update', (_id, state) => this.hold(seat, state._stateID));
      client.transport.socket.on('sync', (_id, { state }) => this.hold(seat, state._stateID));
      return client;
    });
  }

  hold(seat, stateID) {
    this.held[seat] = stateID;
    if (this.wake) this.wake();
  }

  async until(stateID) {
    while (this.held[0] < stateID || this.held[1] < stateID) await new Promise((resolve) => { this.wake = resolve; });
  }

  async ready() {
    while (this.clients.some((client) => client.getState() === null)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  async play(end, times) {
    while (performance.now() < end()) {
      const { G, ctx, _stateID } = this.clients[0].getState();
      const free = G.cells.map((c, i) => (c === null ? i : -1)).filter((i) => i >= 0);
      const began = performance.now();
      this.clients[Number(ctx.currentPlayer)].moves.clickCell(free[Math.floor(Math.random() * free.length)]);
      await this.until(_stateID + 1);
      times.push(performance.now() - began);
    }
  }
}

const server = fork('./server.js', [String(PORT)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
server.once('message', async () => {
  const matches = Array.from({ length: MATCHES }, (_, n) => new Match(n));
  await Promise.all(matches.map((match) => match.ready()));
  let end = performance.now() + 1000;
  await Promise.all(matches.map((match) => match.play(() => end, [])));
  const times = [];
  const before = processor(server.pid);
  const began = performance.now();
  end = began + SECONDS * 1000;
  await Promise.all(matches.map((match) => match.play(() => end, times)));
  const took = (performance.now() - began) / 1000;
  const cost = ((processor(server.pid) - before) / times.length) * 1e6;
  times.sort((a, b) => a - b);
  log(JSON.stringify({ rate: times.length / took, p99: times[Math.floor(times.length * 0.99)], cost }));
  server.kill();
  process.exit(0);
});
