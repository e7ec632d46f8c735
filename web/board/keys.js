/** The keyboard on a board: arrows move over the points as they are seen, Enter and Space choose, Escape takes back. */

/** @typedef {import("./board.js").Board} Board */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Board} board @returns {() => void} stops listening */
export function listenKeys(board) {
  const down = (/** @type {KeyboardEvent} */ event) => {
    const point = event.target instanceof Element ? event.target.getAttribute("data-point") : null;
    if (point === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const next = board.layout.step(point, ...arrow);
      if (next) board.rove(next);
    } else if (event.key === "Home" || event.key === "End") {
      const row = board.layout.grid.find((names) => names.includes(point)) ?? [point];
      board.rove(event.key === "Home" ? row[0] : row[row.length - 1]);
    } else if (event.key === "Enter") {
      if (!board.options.onenter?.(point)) board.choosePoint(point);
    } else if (event.key === " ") board.choosePoint(point);
    else if (event.key === "Escape") board.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const focus = (/** @type {FocusEvent} */ event) => {
    const point = event.target instanceof Element ? event.target.getAttribute("data-point") : null;
    board.preview(point);
  };
  board.node.addEventListener("keydown", down);
  board.node.addEventListener("focusin", focus);
  return () => {
    board.node.removeEventListener("keydown", down);
    board.node.removeEventListener("focusin", focus);
  };
}
