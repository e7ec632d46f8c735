// Looks over the screen (or the open dialog) as it stands: what sticks out, is cut off, or is too small for a finger.
() => {
  const found = [];
  const name = (node) => `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""} "${node.textContent.trim().slice(0, 40)}"`;
  const top = document.querySelector("dialog[open]") ?? document;
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")].find((node) => node.getBoundingClientRect().right > innerWidth + 1 && !node.closest(".only-heard, svg"));
    found.push(`the page scrolls sideways: ${wide ? name(wide) : "?"}`);
  }
  const shown = (node) => node.checkVisibility({visibilityProperty: true}) && node.getClientRects().length && !node.closest(".only-heard");
  for (const node of top.querySelectorAll("button, .button, .button > span, .segment > span, h1, h2, legend, summary, .strip-name, .dialog")) {
    if (!shown(node) || node.clientWidth <= 1 || getComputedStyle(node).display === "inline") continue; // a pixel: only heard
    if (node.scrollWidth > node.clientWidth + 1) found.push(`cut off: ${name(node)} ${node.scrollWidth} > ${node.clientWidth}`);
  }
  if (innerWidth > 400) return found;
  for (const node of top.querySelectorAll("button, .button, summary, select, input, textarea")) {
    const target = node.closest("label") ?? node;
    const { width, height } = (node.labels?.[0]?.offsetHeight > target.offsetHeight ? node.labels[0] : target).getBoundingClientRect();
    if (shown(node) && (width < 39.5 || height < 39.5)) found.push(`small: ${name(target)} ${Math.round(width)} x ${Math.round(height)}`);
  }
  return found;
}
