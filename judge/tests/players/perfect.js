// Perfect, in JavaScript.
const ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"];

function winner(board) {
  const row = ROWS.find(([a, b, c]) => board[a] !== "-" && board[a] === board[b] && board[b] === board[c]);
  return row && board[row[0]];
}

const known = new Map();

function minimax(board, me, turns) {
  const key = board.join("") + me + turns;
  if (!known.has(key)) known.set(key, search(board, me, turns));
  return known.get(key);
}

function search(board, me, turns) {
  const won = winner(board);
  if (won) return won === me ? 10 - turns : turns - 10;
  const values = children(board).map(([, child]) => minimax(child, me, turns + 1));
  if (!values.length) return 0;
  return turn(board) === me ? Math.max(...values) : Math.min(...values);
}

function turn(board) {
  return board.filter((mark) => mark !== "-").length % 2 ? "O" : "X";
}

function children(board) {
  const free = [...board.keys()].filter((square) => board[square] === "-");
  return free.map((square) => [square, board.with(square, turn(board))]);
}

function choose(board) {
  const values = children(board).map(([square, child]) => [square, minimax(child, turn(board), 1)]);
  return values.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (board) => console.log(choose([...board])));
