// Questions to the analyser, one at a time: it makes long answers one after the other, and lets few
// questions wait. While others keep it busy, it is asked again.
import { ask, Refused } from "../live/api";

const PAUSE = 300; // ms before it is asked again
const TRIES = 20;

async function patiently<T>(address: string): Promise<T> {
  for (let tries = 1; ; ++tries) {
    try {
      return await ask<T>(address);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 503 || tries === TRIES) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

let queue: Promise<unknown> = Promise.resolve();

// Returns the JSON at an address. Throws as ask() does.
export function askInTurn<T>(address: string): Promise<T> {
  const out = queue.then(() => patiently<T>(address));
  queue = out.catch(() => undefined);
  return out;
}
