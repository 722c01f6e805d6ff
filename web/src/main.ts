// The page of a report: what, when, where, why, and then everything else.
import "uplot/dist/uPlot.min.css";
import { answer } from "./answer";
import { trust } from "./about";
import { channels } from "./channels";
import { fromBase64 } from "./codes";
import { h } from "./dom";
import { findingView } from "./finding";
import { Host, incidentsOf, type Index, type Report } from "./model";
import { resources } from "./shares";
import { timeline } from "./timeline";
import { View } from "./view";

function hostsOf(page: Document): Host[] {
  const text = (kind: string, host: string) =>
    page.querySelector(`script.${kind}[data-host="${host}"]`)?.textContent ?? "";
  return [...page.querySelectorAll<HTMLScriptElement>("script.report")].map((script, number) => {
    const host = script.dataset.host!;
    const index = text("channels", host);
    return new Host(
      number,
      JSON.parse(script.textContent ?? "") as Report,
      index ? (JSON.parse(index) as Index) : null,
      fromBase64(text("samples", host)),
    );
  });
}

function start(): void {
  const hosts = hostsOf(document);
  const incidents = incidentsOf(hosts);
  const view = new View(
    Math.min(...hosts.map((host) => host.begin)),
    Math.max(...hosts.map((host) => host.end)),
  );
  const all = channels(hosts, incidents, view);
  const link = (id: string, text: string) => h("a", { href: `#${id}` }, text);
  document.body.append(
    h(
      "nav",
      {},
      h("h1", { class: "brand" }, "Reveal"),
      link("what", "Findings"),
      link("channels", "Channels"),
      link("resources", "Resources"),
      link("trust", "Trust"),
    ),
    h(
      "main",
      {},
      answer(hosts, incidents, view),
      h("div", { class: "detail" }, timeline(hosts, incidents, view), findingView(() => incidents, view, (name) => all.open(name))),
      all.element,
      resources(hosts),
      trust(hosts),
    ),
  );
  view.choose(incidents[0] ?? null);
  document.documentElement.dataset.ready = "yes";
}

start();
