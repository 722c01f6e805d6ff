// The live page of the agent: what it does now, what was in the last hours, and what it found.
import "uplot/dist/uPlot.min.css";
import { h } from "./dom";
import { ask, askChannels, askFindings, type Past, type Status, type ToldFinding, type WindowEvent } from "./live/api";
import { Channels } from "./live/channels";
import { Feed } from "./live/feed";
import { Findings } from "./live/findings";
import { help } from "./live/help";
import { StateView } from "./live/state";
import { Strip } from "./live/strip";
import { users } from "./live/users";
import { View } from "./view";

const AGAIN = 2000; // ms before what failed is asked for again
const NAMES = 60_000; // ms between two looks at which channels there are

function start(): void {
  const now = Date.now() / 1000;
  const view = new View(now - 900, now);
  const state = new StateView();
  let connected = false;
  const channels = new Channels(view, () => findings.known(), () => connected);
  const findings: Findings = new Findings(view, (name) => channels.show(name));
  const strip = new Strip(view, () => findings.known(), (incident) => findings.choose(incident));
  const { button, dialog } = help();
  const link = (id: string, text: string) => h("a", { href: `#${id}` }, text);
  document.body.append(
    h("nav", { "aria-label": "Parts of the page" }, h("h1", { class: "brand" }, document.title), link("findings", "Findings"), link("users", "Users"), link("channels", "Channels"), h("span", { class: "tools" }, button)),
    h(
      "main",
      {},
      h("div", { class: "answer" }, state.element, findings.list),
      h("div", { class: "detail" }, strip.element, findings.detail),
      users((name) => channels.show(name), () => connected),
      channels.element,
    ),
    dialog,
  );

  let asked = 0; // of several answers under way only the latest counts
  let begun = false; // by the answer to the latest question
  let meanwhile: ToldFinding[] = []; // that were told while the answer was awaited
  const begin = async (): Promise<void> => {
    const mine = ++asked;
    begun = false;
    meanwhile = [];
    try {
      const [status, names, found, past] = await Promise.all([
        ask<Status>("api/v1/status"),
        askChannels(),
        askFindings(),
        ask<Past>("api/v1/windows"),
      ]);
      if (mine !== asked) return;
      begun = true;
      findings.begin(status, names, found);
      meanwhile.forEach((finding) => findings.take(finding));
      channels.begin(names);
      strip.begin(past);
      document.documentElement.dataset.ready = "yes";
      if (names.length > 0) return;
    } catch {
      // Lost once more; once connected it is asked for again.
    }
    // An agent that has just begun does not know much.
    window.setTimeout(() => mine === asked && connected && void begin(), AGAIN);
  };
  new Feed(
    {
      begun: () => void begin(),
      connected: () => {
        connected = true;
        state.connected();
        if (!begun && asked > 0) void begin();
      },
      lost: () => {
        connected = false;
        state.lost();
      },
    },
    {
      window: (event: WindowEvent) => {
        state.window(event);
        strip.window(event);
        if (event.votes) findings.votes(event.votes);
      },
      finding: ({ finding }: { finding: ToldFinding }) => {
        if (!begun) meanwhile.push(finding);
        else findings.take(finding);
      },
      gap: () => undefined, // the chart of a channel shows it
    },
  );
  // A disk or a job that comes brings channels.
  const name = async () => {
    const names = await askChannels();
    channels.begin(names);
    findings.names(names);
  };
  window.setInterval(() => connected && void name().catch(() => undefined), NAMES);
}

start();
