// Every channel: search, how far it moved, and its whole trace; and all that moved as a map of how
// far each lies from what is usual of it, over time.
import { chart, spark } from "./chart";
import { canvas, color, h, whenSeen } from "./dom";
import type { Channel, Host, Incident } from "./model";
import { SHORT, SUBSYSTEMS } from "./model";
import { clock, exact, quantity, share, span } from "./text";
import { type Trace, traceOf, usualOf, usualOutside } from "./traces";
import type { View } from "./view";

const PAGE = 40; // channels that are put in the list at a time
const ROWS = 80; // of the map
const CELL = 7;

interface Entry {
  host: Host;
  channel: Channel;
  weight: number; // its part in the findings
}

function entriesOf(hosts: Host[], incidents: Incident[]): Entry[] {
  const weights = new Map<string, number>();
  for (const { host, finding } of incidents) {
    for (const one of finding.evidence) {
      const key = `${host.number} ${one.channel}`;
      weights.set(key, (weights.get(key) ?? 0) + one.contribution);
    }
  }
  return hosts
    .flatMap((host) =>
      (host.index?.channels ?? []).map((channel) => ({
        host,
        channel,
        weight: weights.get(`${host.number} ${channel.name}`) ?? 0,
      })),
    )
    .sort((a, b) => b.weight - a.weight || Number(!!b.channel.pyramid) - Number(!!a.channel.pyramid));
}

function range({ constant, low, high, unit }: Channel): string {
  if (constant !== undefined) return `always ${quantity(constant, unit)}`;
  if (low === null || high === null) return "no sample";
  return `${quantity(low, unit)} to ${quantity(high, unit)}`;
}

function rangeTitle({ constant, low, high, unit }: Channel): string {
  return constant !== undefined ? exact(constant, unit) : `${exact(low, unit)} to ${exact(high, unit)}`;
}

// What a reader must know of a channel's samples before trusting them, if anything.
function warning(host: Host, { missing, since, until }: Channel): string | null {
  if (until !== undefined) return `silent since ${clock(host.timeOf(until), 0)}`;
  if (since !== undefined) return `only since ${clock(host.timeOf(since), 0)}`;
  return missing > 0.005 ? `${share(missing)} missing` : null;
}

async function wholeTrace(entry: Entry, incidents: Incident[], view: View): Promise<HTMLElement> {
  const { host, channel } = entry;
  const trace = await traceOf(host, channel);
  const usual = usualOutside(trace, incidents.filter((one) => one.host === host));
  return chart({ host, name: channel.label || channel.metric, unit: channel.unit, trace, usual, incidents, view, begin: view.begin, end: view.end, height: 170 });
}

function item(entry: Entry, several: boolean, incidents: Incident[], view: View): HTMLElement {
  const { channel, host } = entry;
  const doubt = warning(host, channel);
  const picture = canvas({ class: "spark", "aria-hidden": "true" }, (pen, width, height) => {
    if (channel.pyramid) void traceOf(host, channel).then((trace) => spark(pen, width, height, trace));
  });
  const whole = h("div", { class: "whole", hidden: true });
  const out = h(
    "li",
    { class: "channel", "data-channel": channel.name },
    h(
      "button",
      {
        type: "button",
        "aria-expanded": "false",
        click: (event: Event) => {
          const button = event.currentTarget as HTMLElement;
          whole.hidden = !whole.hidden;
          button.setAttribute("aria-expanded", String(!whole.hidden));
          whole.replaceChildren();
          if (!whole.hidden) void wholeTrace(entry, incidents, view).then((one) => whole.replaceChildren(one));
        },
      },
      h("span", { class: `dot ${channel.subsystem}` }, SHORT[channel.subsystem]),
      h("span", { class: "name" }, several ? h("b", {}, `${host.name} `) : null, h("span", {}, channel.label || channel.metric), h("code", {}, channel.name)),
      picture.element,
      h("span", { class: "number", title: rangeTitle(channel) }, range(channel)),
      h(
        "span",
        { class: doubt ? "warn" : "hint", title: `${channel.missing} of the samples are missing` },
        doubt ?? `every ${span(channel.step * host.tick)}`,
      ),
    ),
    whole,
  );
  return out;
}

function list(entries: Entry[], several: boolean, incidents: Incident[], view: View) {
  const input = h("input", { type: "search", placeholder: "metric, device, subsystem or label", "aria-label": "search channels", id: "search" });
  const count = h("span", { class: "hint", role: "status" });
  const items = h("ol", { class: "channels" });
  const more = h("button", { type: "button", class: "more" }, "more");
  let found = entries;
  const grow = () => {
    for (const entry of found.slice(items.childElementCount, items.childElementCount + PAGE)) {
      items.append(item(entry, several, incidents, view));
    }
    more.hidden = items.childElementCount >= found.length;
    more.textContent = `${found.length - items.childElementCount} more`;
  };
  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = entries.filter(({ channel, host }) => {
      const text = `${channel.name} ${channel.label} ${channel.subsystem} ${host.name}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    items.replaceChildren();
    grow();
    count.textContent = found.length === entries.length ? `${entries.length} channels` : `${found.length} of ${entries.length} channels`;
  };
  input.addEventListener("input", search);
  more.addEventListener("click", grow);
  return { element: h("div", {}, h("div", { class: "searching" }, input, count), items, more), input, search };
}

// How far each stretch of a trace lies from the median, in robust standard deviations.
function deviations(trace: Trace): Float64Array | null {
  const usual = usualOf(trace.mean);
  if (!usual) return null;
  let scale = usual.deviation;
  if (!(scale > 0)) {
    const rest = usualOf([...trace.mean].filter((value) => value !== usual.median));
    scale = rest ? Math.abs(rest.median - usual.median) / 3 : 0;
  }
  if (!(scale > 0)) return null;
  return trace.mean.map((value) => Math.abs(value - usual.median) / scale);
}

function heatMap(hosts: Host[], entries: Entry[], view: View, show: (entry: Entry) => void): HTMLElement {
  const out = h("div", { class: "map" }, h("p", { class: "hint" }, "…"));
  const load = async () => {
    const moving = entries.filter((entry) => entry.channel.pyramid);
    const scored = await Promise.all(
      moving.map(async (entry) => {
        const trace = await traceOf(entry.host, entry.channel);
        const far = deviations(trace);
        let most = 0;
        if (far) for (const value of far) if (value > most) most = Math.min(value, 100);
        return { entry, trace, far, most: most + 1000 * Math.min(entry.weight, 1) };
      }),
    );
    const rows = scored
      .filter((one) => one.far)
      .sort((a, b) => b.most - a.most)
      .slice(0, ROWS)
      .sort(
        (a, b) =>
          a.entry.host.number - b.entry.host.number ||
          SUBSYSTEMS.indexOf(a.entry.channel.subsystem) - SUBSYSTEMS.indexOf(b.entry.channel.subsystem),
      );
    const left = 46;
    const { element, redraw } = canvas({ class: "heat", style: `height:${rows.length * CELL + 18}px`, role: "img", "aria-label": "deviation of channels over time; the list below has the same channels" }, (pen, width) => {
      const scale = (width - left) / (view.end - view.begin);
      pen.font = `10px ${getComputedStyle(document.body).fontFamily}`;
      pen.textBaseline = "middle";
      let before = "";
      rows.forEach(({ entry, trace, far }, i) => {
        const y = i * CELL;
        const name = entry.channel.subsystem;
        pen.fillStyle = color(name);
        pen.fillRect(left - 6, y, 4, CELL - 1);
        if (name !== before) {
          pen.fillStyle = color("dim");
          pen.fillText(SHORT[name], 4, y + CELL / 2 + 2);
          before = name;
        }
        const wide = Math.max((trace.x[1]! - trace.x[0]!) * scale, 1);
        pen.fillStyle = color("alarm");
        for (let k = 0; k < far!.length; ++k) {
          const x = left + (trace.x[k]! - view.begin) * scale - wide / 2;
          if (x + wide < left || x > width || !(far![k]! > 2)) continue;
          pen.globalAlpha = Math.min(Math.log2(far![k]! / 2) / 5 + 0.12, 1);
          pen.fillRect(Math.max(x, left), y, Math.ceil(wide), CELL - 1);
        }
        pen.globalAlpha = 1;
      });
    });
    const tip = h("div", { class: "tip", hidden: true });
    const at = (event: MouseEvent) => rows[Math.floor(event.offsetY / CELL)];
    element.addEventListener("pointermove", (event) => {
      const one = at(event);
      tip.hidden = !one;
      if (!one) return;
      const time = view.begin + ((event.offsetX - left) / (element.clientWidth - left)) * (view.end - view.begin);
      const k = one.trace.x.findIndex((x) => x >= time);
      const value = k >= 0 ? one.trace.mean[k]! : NaN;
      const several = hosts.length > 1 ? `${one.entry.host.name} ` : "";
      tip.textContent = `${clock(time)}  ${several}${one.entry.channel.name}: ${quantity(value, one.entry.channel.unit)}`;
      tip.style.left = `${Math.min(event.offsetX + 12, Math.max(element.clientWidth - 340, 0))}px`;
      tip.style.top = `${event.offsetY + 16}px`;
    });
    element.addEventListener("pointerleave", () => (tip.hidden = true));
    element.addEventListener("click", (event) => {
      const one = at(event);
      if (one) show(one.entry);
    });
    view.onChange(redraw);
    out.replaceChildren(
      h("p", { class: "hint" }, `The ${rows.length} channels that moved most, of ${moving.length} that moved at all: the darker, the farther from their median. A click opens one.`),
      h("div", { class: "canvas" }, element, tip),
    );
  };
  whenSeen(out, () => void load());
  return out;
}

export interface Channels {
  element: HTMLElement;
  // Searches for the channel and opens it.
  open: (name: string) => void;
}

export function channels(hosts: Host[], incidents: Incident[], view: View): Channels {
  const entries = entriesOf(hosts, incidents);
  const { element, input, search } = list(entries, hosts.length > 1, incidents, view);
  const open = (name: string) => {
    input.value = name;
    search();
    const first = element.querySelector<HTMLButtonElement>("li.channel > button");
    first?.click();
    input.scrollIntoView({ block: "start", behavior: "smooth" });
  };
  whenSeen(element, search);
  return {
    element: h(
      "section",
      { id: "channels" },
      h("h2", {}, "Channels"),
      heatMap(hosts, entries, view, (entry) => open(entry.channel.name)),
      element,
    ),
    open,
  };
}
