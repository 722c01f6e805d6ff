// Elements without a framework. Texts are always set as text: names may hold anything.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") out.addEventListener(name, value as EventListener);
    else if (value === true) out.setAttribute(name, "");
    // The live page may not have styles in attributes; this is none.
    else if (name === "style") out.style.cssText = String(value);
    else out.setAttribute(name, String(value));
  }
  for (const child of children) if (child) out.append(child);
  return out;
}

// A canvas that is drawn anew when its size or the color scheme changes.
export function canvas(
  attributes: Attributes,
  draw: (pen: CanvasRenderingContext2D, width: number, height: number) => void,
): { element: HTMLCanvasElement; redraw: () => void } {
  const element = h("canvas", attributes);
  const redraw = () => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    const pen = element.getContext("2d");
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    draw(pen, width, height);
  };
  new ResizeObserver(redraw).observe(element);
  darkness.addEventListener("change", redraw);
  return { element, redraw };
}

export const darkness = matchMedia("(prefers-color-scheme: dark)");

const colors = new Map<string, string>();
darkness.addEventListener("change", () => colors.clear());

// The value of one of the page's colors; remembered, as a drawing asks for thousands.
export function color(name: string): string {
  const known = colors.get(name);
  if (known) return known;
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  colors.set(name, value);
  return value;
}

// Calls `work` once, when the element first comes near the window's part that is seen.
export function whenSeen(element: Element, work: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      work();
    },
    { rootMargin: "200px" },
  );
  observer.observe(element);
}
