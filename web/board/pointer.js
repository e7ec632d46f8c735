/** Mouse, pen and finger on a board: press and drag become `choosePoint`. */

/** @typedef {import("./board.js").Board} Board */

const DRAG_FROM = 6; // CSS pixels before a press counts as a drag

/** @param {Board} board @returns {() => void} stops listening */
export function listenPointer(board) {
  /** @type {{id: number, point: string, x: number, y: number, chosen: boolean, dragging: boolean} | null} */
  let press = null;

  const down = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0 || press) return;
    const point = board.pointAt(event.clientX, event.clientY);
    if (point === null) return;
    board.settle();
    board.rove(point, false);
    // A press on a piece that can move selects it at once, so that it can be dragged; anything else waits for the release.
    const chosen = board.view.selected !== point && !board.view.next?.includes(point) && (board.view.movable?.includes(point) ?? false) && point in board.view.pieces;
    press = { id: event.pointerId, point, x: event.clientX, y: event.clientY, chosen, dragging: false };
    if (chosen) board.choosePoint(point);
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!press) board.preview(board.pointAt(event.clientX, event.clientY));
    if (!press || event.pointerId !== press.id || board.view.selected !== press.point) return;
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_FROM) return;
    if (!press.dragging) board.node.setPointerCapture(event.pointerId);
    press.dragging = true;
    board.carry(press.point, board.spotOf(event.clientX, event.clientY));
    board.preview(board.pointAt(event.clientX, event.clientY));
  };
  const up = (/** @type {PointerEvent} */ event) => {
    if (!press || event.pointerId !== press.id) return;
    const { point, chosen, dragging } = press;
    press = null;
    const target = board.pointAt(event.clientX, event.clientY);
    if (dragging) {
      if (target !== null && board.view.next?.includes(target)) board.dropped = target;
      else board.carry(point, null);
      board.preview(null);
      if (target !== null && target !== point) board.choosePoint(target);
      else board.carry(point, null);
      board.dropped = null;
    } else if (!chosen && target === point) board.choosePoint(point);
  };
  const lost = (/** @type {PointerEvent} */ event) => {
    if (!press || event.pointerId !== press.id) return;
    if (press.dragging) board.carry(press.point, null);
    press = null;
  };
  const leave = () => board.preview(null);
  // Screen readers press without a pointer.
  const click = (/** @type {MouseEvent} */ event) => {
    const point = event.detail === 0 && event.target instanceof Element ? event.target.getAttribute("data-point") : null;
    if (point) board.choosePoint(point);
  };

  const { node } = board;
  node.addEventListener("pointerdown", down);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerup", up);
  node.addEventListener("pointercancel", lost);
  node.addEventListener("pointerleave", leave);
  node.addEventListener("click", click);
  return () => {
    node.removeEventListener("pointerdown", down);
    node.removeEventListener("pointermove", move);
    node.removeEventListener("pointerup", up);
    node.removeEventListener("pointercancel", lost);
    node.removeEventListener("pointerleave", leave);
    node.removeEventListener("click", click);
  };
}
