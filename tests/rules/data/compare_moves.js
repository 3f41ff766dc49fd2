// Compares sets of moves with those of Fairy-Stockfish (npm's ffish) for ffish_test.cpp.
//
//   node compare_moves.js NODE_MODULES FILE
//
// A line of the file is a game {game, ini, chess960} or a position {fen, moves} of the game before
// it, the moves in order and with blanks between. Prints what differs, a few positions a game, and last the
// number of positions. Exits with 1 if something differs.
'use strict';
const fs = require('fs');
const path = require('path');
const [modules, file] = process.argv.slice(2);
delete globalThis.fetch;  // with it, ffish looks for its WebAssembly on a server
const ffish = require(path.join(modules, 'ffish'));

const kMostShown = 3;

function mates(board, move) {
  board.push(move);
  const mate = board.isCheck() && board.legalMoves() === '';
  board.pop();
  return mate;
}

ffish.onRuntimeInitialized = () => {
  let board = null, game = null, shogiPawn = 'P', positions = 0, differences = 0, shown = 0;
  const report = (fen, ours, theirs) => {
    ++differences;
    if (++shown > kMostShown) return;
    const missing = theirs.filter((move) => !ours.includes(move));
    const more = ours.filter((move) => !theirs.includes(move));
    console.log(`${game.game} ${fen}\n  only ours: ${more.join(' ')}\n  only ffish: ${missing.join(' ')}`);
    if (shown === 1) console.log(game.ini);
  };
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const one = JSON.parse(line);
    if (one.game !== undefined) {
      game = one;
      shown = 0;
      shogiPawn = (/^shogiPawn = (.)/m.exec(game.ini) || ['', 'p'])[1].toUpperCase();
      if (board !== null) board.delete();
      ffish.loadVariantConfig(game.ini);
      board = new ffish.Board(`faultline-${game.game}`, '', game.chess960);
      continue;
    }
    board.setFen(one.fen);
    ++positions;
    let theirs = board.legalMoves().split(' ').sort();
    if (game.ini.includes('shogiPawnDropMateIllegal = true'))  // for it the drop loses, but is legal
      theirs = theirs.filter((move) => !move.startsWith(shogiPawn + '@') || !mates(board, move));
    const moves = theirs.join(' ');
    if (moves !== one.moves) report(one.fen, one.moves.split(' '), moves.split(' '));
  }
  console.log(`${positions} positions, ${differences} differ`);
  process.exit(differences > 0 ? 1 : 0);
};
