const { Server, Origins } = require('boardgame.io/server');
const { TicTacToe } = require('./game.js');

const server = Server({ games: [TicTacToe], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]) }).then(() => process.send('ready'));
