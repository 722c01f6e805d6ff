// Who uses what now: control groups, and interfaces for traffic. Asked for while somebody looks.
import { h } from "../dom";
import { quantity } from "../text";
import { ask, type Users } from "./api";

const EVERY = 5000; // ms

function table({ what, unit, users }: Users, show: (channel: string) => void): HTMLElement {
  const most = Math.max(...users.map((one) => one.amount), 1e-12);
  const rows = users.map((one) =>
    h(
      "tr",
      {},
      h("td", {}, h("button", { type: "button", class: "link", title: one.channel, click: () => show(one.channel) }, one.name)),
      h(
        "td",
        { class: "part" },
        h("i", { style: `width:${((100 * one.amount) / most).toFixed(1)}%` }),
        h("span", { class: "number" }, quantity(one.amount, unit)),
      ),
    ),
  );
  return h("figure", { class: "trace", "data-what": what }, h("table", {}, h("caption", {}, h("b", {}, what)), h("tbody", {}, ...rows)));
}

export function users(show: (channel: string) => void, connected: () => boolean): HTMLElement {
  const out = h("div", { class: "users" });
  const none = h("p", { hidden: true }, "No control group and no interface uses anything in this window.");
  const section = h(
    "section",
    { id: "users" },
    h("h2", {}, "Who uses what now"),
    h("p", { class: "hint" }, "Control groups, in the newest window; traffic by interface, since the kernel does not count it by group."),
    none,
    out,
  );
  const refresh = async () => {
    if (document.visibilityState === "hidden" || !connected()) return;
    const answer = await ask<{ users: Users[] }>("api/v1/users");
    const focused = out.querySelector<HTMLElement>(":focus")?.title;
    out.replaceChildren(...answer.users.map((one) => table(one, show)));
    if (focused) out.querySelector<HTMLElement>(`[title="${CSS.escape(focused)}"]`)?.focus();
    none.hidden = answer.users.length > 0;
  };
  // What fails now is asked for again soon.
  window.setInterval(() => void refresh().catch(() => undefined), EVERY);
  window.setTimeout(() => void refresh().catch(() => undefined), 500);
  return section;
}
