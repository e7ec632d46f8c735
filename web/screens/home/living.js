/**
 * Boards that play a few moves of their game by themselves, one board at a time, calmly. They rest when nobody looks,
 * when motion is unwanted, and when they are asked to.
 */

/** @typedef {import("../../board/board.js").Board} Board */
/** @typedef {{kind: string, side: string, path: string[], hops: import("../../wire.js").Hop[], captures: string[], pieces: import("../../wire.js").Pieces}} Ply */
/** A game's first board, and what it plays. @typedef {{board: import("../../wire.js").Description, pieces: import("../../wire.js").Pieces, plies: Ply[], picture?: Ply[]}} Line picture: the moves that lead to what it shows at rest, where that is not the start */

const BREATH = 1500; // ms between two moves anywhere on the page
const LAST_LOOK = 3; // breaths for which an end is left standing

/** @returns {Promise<Record<string, Line>>} by game */
export async function loadLines() {
  const answer = await fetch(new URL("../../boards/living.json", import.meta.url));
  return answer.ok ? answer.json() : {};
}

/** @param {Ply} ply @returns {import("../../board/board.js").View} */
const after = ({ pieces, path, hops, captures }) => ({ pieces, trail: { path, hops, captures } });

/** What a board shows at rest. @param {Line} line @returns {import("../../board/board.js").View} */
export function restingView({ picture, board }) {
  const last = picture?.at(-1);
  return last ? after(last) : { pieces: board.startPieces };
}

export class LivingBoards {
  /** @param {() => boolean} moves whether things may move now */
  constructor(moves) {
    this.moves = moves;
    /** @type {{board: Board, line: Line, at: number, seen: boolean}[]} */
    this.boards = [];
    this.turn = -1;
    this.timer = setInterval(() => this.breathe(), BREATH);
    this.watch = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const one = this.boards.find(({ board }) => board.node === entry.target);
        if (one) one.seen = entry.isIntersecting;
      }
    }, { threshold: 0.6 });
  }

  /** @param {Board} board @param {Line} line */
  add(board, line) {
    this.boards.push({ board, line, at: line.picture ? -1 : 0, seen: false });
    this.watch.observe(board.node);
  }

  destroy() {
    clearInterval(this.timer);
    this.watch.disconnect();
  }

  /** The next board in view makes its next move; after its last one it rests and begins anew. */
  breathe() {
    if (!this.moves() || document.hidden) return;
    const seen = this.boards.filter((one) => one.seen);
    if (seen.length === 0) return;
    this.turn = (this.turn + 1) % seen.length;
    const one = seen[this.turn];
    const { board, line } = one;
    const ply = line.plies[one.at++];
    if (one.at === 0) board.show({ pieces: line.pieces });
    else if (ply) {
      const view = after(ply);
      if (ply.hops.length) void board.run(ply.path[0], ply.hops, view);
      else board.show(view);
    } else if (one.at > line.plies.length + LAST_LOOK) {
      one.at = 0;
      board.show({ pieces: line.pieces });
    }
  }
}
