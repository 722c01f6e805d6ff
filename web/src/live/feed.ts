// The stream of events of an agent or an analyser: begun anew when it ends, later each time it fails,
// and ended while nobody looks: a browser has few connections to one address, and tabs share them.
// Where a stream cannot last, as that of a host through its fleet's analyser, it is told what there is
// so far, and that more is to be asked for (in_portions): the browser itself does so a second later.

const LONGEST_WAIT = 30_000; // ms
const SILENCE = 40_000; // ms without an event, of which there is at least a ping each 15 s
const UNSEEN = 60_000; // ms after which a page that is not seen needs no events

export interface FeedListener {
  // The stream is another one than before, or has missed something: what is shown is to be asked for.
  begun(): void;
  lost(): void; // no events come
  connected(): void; // they come again
}

// What is done with the data of each kind of event.
export type Acts = Record<string, (data: never) => void>;

export class Feed {
  private source: EventSource | null = null;
  private run = "";
  private last = ""; // id of the last event
  private wait = 1000; // ms before it is tried again
  private isConnected = false;
  private moreToAsk = false; // the portion ends in order, and the browser asks for the next
  private timer = 0;
  private watch = 0;
  private unseen = 0;

  constructor(
    private readonly listener: FeedListener,
    private readonly acts: Acts,
  ) {
    document.addEventListener("visibilitychange", () => this.onVisibility());
    this.connect();
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.source?.close();
    const source = new EventSource(`api/v1/stream${this.last ? `?after=${this.last}` : ""}`);
    this.source = source;
    const on = (kind: string, act: (data: never) => void) =>
      source.addEventListener(kind, (event) => {
        if (source !== this.source) return;
        const message = event as MessageEvent<string>;
        if (message.lastEventId) this.last = message.lastEventId;
        this.heard();
        act(JSON.parse(message.data) as never);
      });
    on("hello", (hello: { run: string; in_portions?: boolean }) => {
      this.wait = 1000;
      this.moreToAsk = hello.in_portions === true;
      if (!this.isConnected) this.listener.connected();
      this.isConnected = true;
      if (hello.run !== this.run) this.restart();
      this.run = hello.run;
    });
    on("resync", () => this.restart());
    on("ping", () => undefined);
    for (const [kind, act] of Object.entries(this.acts)) on(kind, act);
    source.onerror = () => {
      if (source !== this.source) return;
      // Once for each portion: a portion that does not come is a stream that is lost.
      const isOver = this.moreToAsk && source.readyState === EventSource.CONNECTING;
      this.moreToAsk = false;
      if (!isOver) this.again();
    };
    this.heard();
  }

  // The events that follow are of another run, or others were missed.
  private restart(): void {
    this.last = "";
    this.listener.begun();
  }

  private heard(): void {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(() => this.again(), SILENCE);
  }

  private again(): void {
    clearTimeout(this.watch);
    this.source?.close();
    this.source = null;
    this.isConnected = false;
    this.listener.lost();
    // Not all pages at once.
    this.timer = window.setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  private onVisibility(): void {
    clearTimeout(this.unseen);
    if (document.visibilityState === "hidden") {
      this.unseen = window.setTimeout(() => this.rest(), UNSEEN);
    } else if (!this.source) {
      this.wait = 1000;
      this.connect();
    }
  }

  private rest(): void {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.source?.close();
    this.source = null;
    this.isConnected = false;
    this.listener.lost();
  }
}
