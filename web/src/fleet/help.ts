// What the page of a fleet means, on the page.
import { TIMES } from "../live/help";

export const TEXTS: [string, string][] = [
  ["Group", "Hosts that should behave alike: of one job, of one role, or of the same hardware. Each is compared with the others, second by second."],
  ["Cells", "One for each host, in the order of their ids. The darker, the farther its farthest quantity lies from its peers. Up to its limit a distance may be chance. Beyond it a host is not slow yet: that takes a wait, a loss or an error in three of five seconds. An empty frame is a host that is not compared: it is silent, or its clock is off."],
  ["Incident", "Hosts that became slow within ten seconds of one another. The cause is the host in which the reason lies; the others wait for it. Without a cause nobody can say which of them it is."],
  ["Of the limit", "How many times larger a rise is than it must be to count."],
  ["One quantity", "The levels of each second of the last five minutes. Hosts that lie apart have lines of their own, red if an incident that is open names them."],
  TIMES,
];

export const KEYS = "Tab goes to a group, arrow keys from host to host, Enter opens one, Escape closes it. / finds a host by its name, ? shows this help.";
