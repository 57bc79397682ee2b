const held = ".waiting > article:hover, .waiting > article:focus-within";

/**
 * Keeps the card under the pointer, else the one with the focus, at its place in the window when something above it
 * grows or shrinks. The page scrolls for it; where it cannot, `room` gets some.
 */
export function createKeepStill(room: HTMLElement) {
  let card: Element | undefined;
  /** From the top of the window. */
  let top = 0;
  let scrolled = 0;
  let above = 0;
  const page = document.documentElement;
  const observer = new ResizeObserver(settle);
  const topOf = (box: Element): number => box.getBoundingClientRect().top;

  function settle(): void {
    if (card?.isConnected === true) settleCard(card);
    const cards = [...document.querySelectorAll(held)];
    card = cards.find((one) => one.matches(":hover")) ?? cards[0];
    if (card === undefined && document.querySelector(".waiting:hover") === null) makeRoom(0, 0);
    top = card === undefined ? 0 : topOf(card);
    scrolled = page.scrollTop;
  }

  function settleCard(shown: Element): void {
    // The reader's own scrolling is no move of the card.
    const moved = topOf(shown) - top + page.scrollTop - scrolled;
    // The browser may have scrolled for it.
    if (Math.abs(moved) < 1 || Math.abs(topOf(shown) - top) < 1) return;
    const wanted = topOf(shown) - moved;
    const missing = page.scrollTop + moved - (page.scrollHeight - page.clientHeight);
    if (missing > 0) makeRoom(above, missing);
    scrollBy({ top: moved, behavior: "instant" });
    const left = wanted - topOf(shown);
    if (left >= 1) makeRoom(above + left, 0);
  }

  function makeRoom(before: number, after: number): void {
    above = before;
    room.style.marginTop = before === 0 ? "" : `${before}px`;
    room.style.paddingBottom = after === 0 ? "" : `${after}px`;
  }

  const events = ["pointerover", "pointerout", "focusin", "focusout", "scroll"] as const;
  for (const event of events) document.addEventListener(event, settle, { passive: true });
  return {
    /** Called after the page has rendered again. */
    settle() {
      for (const box of document.querySelectorAll("main > *, .waiting > *")) observer.observe(box);
      settle();
    },
    end() {
      observer.disconnect();
      for (const event of events) document.removeEventListener(event, settle);
    },
  };
}
