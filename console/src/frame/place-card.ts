// Where a card stands beside what it explains: below, above, at the right, never over it.

interface Size {
  readonly width: number
  readonly height: number
}

interface Box extends Size {
  readonly top: number
  readonly left: number
}

const GAP = 12

/** Without a target: at the bottom, in the middle. */
export function placeCard(
  target: Box | null,
  card: Size,
  window: Size,
): { readonly left: number; readonly top: number } {
  const fit = (start: number, size: number, whole: number): number =>
    Math.max(GAP, Math.min(start, whole - size - GAP))
  if (target === null) {
    const left = fit((window.width - card.width) / 2, card.width, window.width)
    return { left, top: window.height - card.height - 6 * GAP }
  }
  const right = target.left + target.width + GAP
  const below = target.top + target.height + GAP
  const besideTop = fit(target.top, card.height, window.height)
  const belowLeft = fit(target.left, card.width, window.width)
  const isNarrow = target.width < window.width / 4
  // Of a rail: at its right. Of a bar: below or above.
  if (isNarrow && target.left < window.width / 4 && right + card.width + GAP <= window.width) {
    return { left: right, top: besideTop }
  }
  if (below + card.height + GAP <= window.height) return { left: belowLeft, top: below }
  return { left: belowLeft, top: Math.max(GAP, target.top - card.height - GAP) }
}
