// The letters of drawings: those of the page, a little smaller, also on large screens.

export function letterSize(): number {
  return 0.82 * parseFloat(getComputedStyle(document.body).fontSize);
}

// Returns the font for a pen; `scale` pixels of its canvas are one of the page.
export function letters(weight = "", scale = 1): string {
  return `${weight} ${letterSize() * scale}px ${getComputedStyle(document.body).fontFamily}`.trim();
}
