// Where the cells of a grid of hosts lie: with their names where these fit, else squares as large as a
// few hundred pixels of height allow.

const TALLEST = 360; // pixels of a grid of many hosts
const SMALLEST = 5; // of a square; below, nobody hits it
const LARGEST = 18;
const NAMED = { most: 64, width: 8, height: 2.25 }; // cells with names, in sizes of letters

export interface Layout {
  columns: number;
  rows: number;
  width: number; // of a cell, with the gap to the next one
  height: number;
  named: boolean;
}

export function layoutOf(hosts: number, width: number, letter: number): Layout {
  if (hosts <= NAMED.most) {
    const fit = Math.max(Math.floor(width / (NAMED.width * letter)), 1);
    // As even as can be: nine hosts on eight places are 5 + 4.
    const rows = Math.max(Math.ceil(hosts / fit), 1);
    const columns = Math.max(Math.min(Math.ceil(hosts / rows), fit), 1);
    return { columns, rows, width: Math.min(width / columns, 2 * NAMED.width * letter), height: Math.round(NAMED.height * letter), named: true };
  }
  let side = Math.min(Math.floor(Math.sqrt((width * TALLEST) / hosts)), LARGEST);
  while (side > SMALLEST && Math.ceil(hosts / Math.floor(width / side)) * side > TALLEST) --side;
  side = Math.max(side, SMALLEST);
  const columns = Math.max(Math.floor(width / side), 1);
  return { columns, rows: Math.ceil(hosts / columns), width: side, height: side, named: false };
}

// Returns the cell at a point, or null.
export function cellAt(layout: Layout, hosts: number, x: number, y: number): number | null {
  const column = Math.floor(x / layout.width);
  const row = Math.floor(y / layout.height);
  const at = row * layout.columns + column;
  return column < 0 || row < 0 || column >= layout.columns || at >= hosts ? null : at;
}

// Returns where a key leads from a cell, or null if it is no such key.
export function cellAfter(layout: Layout, hosts: number, at: number, key: string): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - layout.columns,
    ArrowDown: at + layout.columns,
    PageUp: at - 10 * layout.columns,
    PageDown: at + 10 * layout.columns,
    Home: 0,
    End: hosts - 1,
  };
  const to = steps[key];
  if (to === undefined) return null;
  return Math.min(Math.max(to, 0), hosts - 1);
}
