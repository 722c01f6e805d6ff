// The answer in one sentence: all is well, or which host is the slow one, since when and by what; and
// how broker and analyser are.
import { h } from "../dom";
import { moment } from "../live/state";
import type { Subsystem } from "../model";
import { number, quantity } from "../text";
import { mainEvidence, mainHost, shortName, timeOf, type Counts, type FleetEvent, type FleetState, type FleetStatus, type Incident } from "./api";

// Subsystems within a sentence.
const WORDS: Record<Subsystem, string> = { cpu: "CPU", gpu: "GPU", memory: "memory", network: "network", storage: "storage", unknown: "unknown part" };
const SHOWN = 4; // incidents that are told in the answer

type Kind = "healthy" | "alarm" | "waiting";

// Returns who is slow, as a clause.
export function headline(incident: Incident): string {
  const [first, second] = incident.hosts;
  const be = incident.open ? "is" : "was";
  const verb = incident.open ? "are" : "were";
  if (incident.of_all) return `All ${number(incident.group_size)} hosts ${verb} slow`;
  if (incident.cause !== null) return `${shortName(incident.cause)} ${be} the slow one`;
  if (first?.part === "pair" && second) return `${shortName(first.name)} and ${shortName(second.name)} ${incident.open ? "differ" : "differed"}`;
  if (incident.hosts.length === 1) return `${shortName(first!.name)} ${be} slow`;
  return `${number(incident.hosts.length)} hosts ${verb} slow`;
}

// Returns since when, and by what.
export function whereby(incident: Incident): string {
  const evidence = mainEvidence(incident);
  const since = `${incident.open ? "since" : "from"} ${moment(incident.onset.ns / 1e9)}`;
  if (!evidence) return since;
  const peers = incident.of_all ? "in the hour before" : "its peers";
  const what = `${evidence.label} ${quantity(evidence.observed, evidence.unit)} (${peers}: ${quantity(evidence.usual, evidence.unit)})`;
  return `${since}, ${incident.of_all ? "their" : whose(incident)} ${WORDS[incident.subsystem ?? evidence.subsystem]}: ${what}`;
}

function whose(incident: Incident): string {
  return mainHost(incident)?.part === "cause" || incident.hosts.length === 1 ? "its" : "their";
}

// What a state other than judging means.
const STATES: Record<FleetState, string> = {
  starting: "The analyser has just begun. It catches up with what the broker has, and accuses nobody until then",
  judging: "",
  late: "The analyser is behind the messages of the hosts, and accuses nobody meanwhile",
  no_broker: "No host is heard, and none is judged",
};

export class Answer {
  readonly element: HTMLElement;
  private state: FleetState = "starting";
  private reason = "";
  private counts: Counts | null = null;
  private status: FleetStatus | null = null;
  private open: Incident[] = [];
  private heard = Date.now() / 1000;
  private isLost = false;
  private known = false;
  private readonly title = document.title;
  private readonly sign = h("span", { class: "sign", "aria-hidden": "true" });
  private readonly text = h("span", { class: "text" }, "Connecting");
  private readonly more = h("div", { class: "told" });
  private readonly lost_ = h("span", { class: "warn link-state", hidden: true });
  private readonly box: HTMLElement;
  private readonly figures = h("span", { class: "hint figures" });
  private readonly service = h("span", { class: "hint service" });

  constructor(private readonly choose: (id: string) => void) {
    this.box = h("div", { class: "verdict waiting", role: "status" }, h("strong", {}, this.sign, this.text), this.lost_, this.more);
    this.element = h("div", { class: "state" }, this.box, h("div", { class: "run" }, this.figures, this.service));
  }

  begin(status: FleetStatus): void {
    this.status = status;
    this.counts = status.counts;
    this.state = status.state;
    this.reason = status.reason;
    this.show();
  }

  take(event: FleetEvent): void {
    if (event.time !== null) this.heard = timeOf(event.time);
    this.state = event.state;
    this.reason = event.reason;
    if (this.counts) this.counts.hosts = event.hosts;
    this.show();
  }

  // Whether anything is known of what is usual.
  knows(known: boolean): void {
    this.known = known;
  }

  incidents(open: Incident[]): void {
    this.open = open;
    this.show();
  }

  connected(): void {
    this.isLost = false;
    this.show();
  }

  lost(): void {
    this.isLost = true;
    this.show();
  }

  private show(): void {
    const { kind, sign, text, lines } = this.said();
    this.box.className = `verdict ${kind}`;
    this.element.closest("main")?.classList.toggle("stale", this.isLost || this.state === "no_broker");
    this.box.dataset.state = this.isLost ? "lost" : this.state;
    set(this.sign, sign);
    set(this.text, text);
    this.tell(lines);
    this.lost_.hidden = !this.isLost;
    set(this.lost_, this.isLost ? `Not connected since ${moment(this.heard)}. All below is from then.` : "");
    const count = this.open.length > 0 ? `(${this.open.length}) ` : kind === "healthy" ? "" : `${sign} `;
    const title = (this.isLost ? "? " : count) + this.title;
    if (document.title !== title) document.title = title;
    this.figures.textContent = figuresOf(this.counts, this.heard);
    set(this.service, this.serviceText());
  }

  private said(): { kind: Kind; sign: string; text: string; lines: (string | Incident)[] } {
    const { open, state } = this;
    if (this.isLost) return { kind: "waiting", sign: "?", text: "Not connected", lines: [] };
    const trouble = state === "judging" ? [] : [STATES[state] + (this.reason ? `: ${this.reason}.` : ".")];
    if (open.length === 1) return { kind: "alarm", sign: "!", text: headline(open[0]!), lines: [open[0]!, ...trouble] };
    if (open.length > 1) return { kind: "alarm", sign: "!", text: `${open.length} incidents are open`, lines: [...open, ...trouble] };
    if (state === "no_broker") return { kind: "alarm", sign: "!", text: "The broker is away", lines: trouble };
    if (!this.counts) return { kind: "waiting", sign: "…", text: "Connecting", lines: [] };
    if (this.counts.hosts === 0) return { kind: "waiting", sign: "…", text: "No host has told anything yet", lines: NOBODY };
    if (state !== "judging") return { kind: "waiting", sign: "…", text: state === "late" ? "Behind" : "Learning what is usual", lines: trouble };
    if (this.counts.compared === 0) return { kind: "waiting", sign: "…", text: "No host is compared", lines: [ALONE] };
    if (!this.known) return { kind: "waiting", sign: "…", text: "Too early to tell", lines: [WATCHED] };
    return { kind: "healthy", sign: "✓", text: "All is well", lines: [`${number(this.counts.compared)} hosts are compared; none is slower than its peers.`] };
  }

  private tell(lines: (string | Incident)[]): void {
    const several = this.open.length > 1;
    const texts = lines.map((one) => (typeof one === "string" ? one : (several ? `${headline(one)}, ` : "") + whereby(one)));
    const state = texts.join("\n");
    if (this.more.dataset.state === state) return;
    this.more.dataset.state = state;
    const rows = texts.slice(0, SHOWN).map((text, i) => {
      const line = lines[i]!;
      if (typeof line === "string" || !several) return h("p", {}, text);
      return h("p", {}, h("button", { type: "button", class: "link", click: () => this.choose(line.id) }, text));
    });
    const rest = texts.length - rows.length;
    this.more.replaceChildren(...rows, ...(rest > 0 ? [h("p", { class: "hint" }, `and ${rest} more, below`)] : []));
  }

  private serviceText(): string {
    const { status, state } = this;
    if (!status) return "";
    const broker = state === "no_broker" ? "broker away" : "broker connected";
    const { database } = status;
    const kind = KINDS[database.kind] ?? database.kind;
    const kept = database.kind === "none" ? "no database: incidents are not kept" : database.waiting > 0 ? `${kind}: ${number(database.waiting)} changes wait` : `incidents are kept in ${kind}`;
    return `${broker}, analyser on ${status.analyser}, ${kept}`;
  }
}

const KINDS: Record<string, string> = { sqlite: "SQLite", postgresql: "PostgreSQL" };
const NOBODY = [
  "The analyser listens, but no agent has sent a message to this broker.",
  "On each host: write the broker's address to servers under [fleet] in reveal.toml, then reload the agent. reveal health on the host says whether its messages arrive.",
];
const WATCHED = "A host is watched for two minutes before it can be called slow.";
const ALONE = "A host is compared once it has told its facts and has a peer: one with the same role or the same hardware. Below is how each stands.";

function figuresOf(counts: Counts | null, heard: number): string {
  if (!counts) return "";
  const parts = [`${number(counts.hosts)} hosts in ${number(counts.groups)} group${counts.groups === 1 ? "" : "s"}`];
  if (counts.silent > 0) parts.push(`${number(counts.silent)} silent`);
  if (counts.clock_off > 0) parts.push(`${number(counts.clock_off)} with a wrong clock`);
  if (counts.two_hosts > 0) parts.push(`${number(counts.two_hosts)} ids that two hosts have`);
  if (counts.other_bucket > 0) parts.push(`${number(counts.other_bucket)} with levels that are not of seconds`);
  if (counts.unknown > 0) parts.push(`${number(counts.unknown)} not known yet`);
  if (counts.refused > 0) parts.push(`${number(counts.refused)} messages refused`);
  return `${parts.join(", ")}; as of ${moment(heard)}`;
}

function set(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
