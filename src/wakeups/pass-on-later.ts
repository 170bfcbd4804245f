// What is due later waits in a queue of its own, which every server asks each second. Once due, it goes through its own queue, so
// that what is due later never keeps back what is due now, and that it is announced.

import type { BossPart, Put } from "./entries.ts";
import { LATER, LOOKS_FOR_LATER, WAKEUP } from "./open-boss.ts";
import { WrittenLater } from "./routes.ts";

export const passOnLater = (put: Put): BossPart => ({
  // Those without labels are there on every server, so that each can write to them within a transaction.
  queues: new Map([LATER, "take_up", "timer"].map((queue) => [queue, "short"])),
  begin: async (boss) => {
    await boss.work<object>(LATER, LOOKS_FOR_LATER, async (jobs) => {
      for (const { data } of jobs) {
        const { queue, id, labels } = WrittenLater.parse(data);
        await put({ queue, data: { id, labels }, options: { ...WAKEUP, singletonKey: id } });
      }
    });
  },
});
