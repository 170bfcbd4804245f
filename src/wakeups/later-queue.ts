// What is due later waits in a queue of its own, which every server asks every few seconds, and at the moments that it knows. Once due,
// it goes through its own queue, so that what is due later never keeps back what is due now, and that it is announced.
import type { BossPart, Put } from "./entries.ts";
import { DUE_MARGIN_MS, LATER, LOOKS_FOR_LATER, WAKEUP } from "./open-boss.ts";
import { LaterWakeup } from "./routes.ts";
import type { Later } from "./timers.ts";

export function createLaterQueue(put: Put, later: Later) {
  let look: () => void = () => undefined;
  const part: BossPart = {
    // Those without labels are there on every server, so that each can write to them within a transaction.
    queues: new Map([LATER, "take_up", "timer"].map((queue) => [queue, "short"])),
    begin: async (boss) => {
      const worker = await boss.work<object>(LATER, LOOKS_FOR_LATER, async (jobs) => {
        for (const { data } of jobs) {
          const { queue, ...written } = LaterWakeup.parse(data);
          await put({ queue, data: written, options: { ...WAKEUP, singletonKey: written.id } });
        }
      });
      look = () => boss.notifyWorker(worker);
    },
  };
  /** This server looks when it is due. */
  const expect = (after_ms: number): void => void later(() => look(), after_ms + DUE_MARGIN_MS);
  return { part, expect };
}
