// The stretch of time that is looked at, the time that is pointed at, and what is chosen: shared by
// all parts of the page.
import type { Incident } from "./model";

type Listener = () => void;
// Returns whether it still wants to be told.
type PointListener = (time: number | null) => boolean;

export class View {
  begin: number;
  end: number;
  chosen: Incident | null = null;
  pointed: number | null = null;
  private readonly listeners: Listener[] = [];
  private pointListeners: PointListener[] = [];

  constructor(
    public first: number,
    public last: number,
  ) {
    this.begin = first;
    this.end = last;
  }

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  onPoint(listener: PointListener): void {
    this.pointListeners.push(listener);
  }

  // Points at a time, in all charts at once; null: at none.
  point(time: number | null): void {
    if (time === this.pointed) return;
    this.pointed = time;
    this.pointListeners = this.pointListeners.filter((listener) => listener(time));
  }

  // Sets what there is to be looked at, and looks at all of it.
  cover(first: number, last: number): void {
    this.first = this.begin = first;
    this.last = this.end = last;
    this.tell();
  }

  // Shows that stretch, as far as the recording has it, and never less than a second.
  show(begin: number, end: number): void {
    const whole = this.last - this.first;
    const length = Math.min(Math.max(end - begin, Math.min(1, whole)), whole);
    this.begin = Math.min(Math.max(begin, this.first), this.last - length);
    this.end = this.begin + length;
    this.tell();
  }

  zoom(factor: number, around = (this.begin + this.end) / 2): void {
    this.show(around - (around - this.begin) * factor, around + (this.end - around) * factor);
  }

  pan(share: number): void {
    const by = (this.end - this.begin) * share;
    this.show(this.begin + by, this.end + by);
  }

  choose(incident: Incident | null): void {
    this.chosen = incident;
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
