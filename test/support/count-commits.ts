// Counts what is committed in this process, from now on until it is disposed of.
import { subscribe, unsubscribe } from "node:diagnostics_channel";

export function countCommits(told: (count: number) => void) {
  let count = 0;
  const listen = (message: unknown) => {
    if ((message as { when: string }).when === "after") told(++count);
  };
  subscribe("orch:commit", listen);
  return { count: () => count, [Symbol.dispose]: () => void unsubscribe("orch:commit", listen) };
}
