// Waits until the database works again: one probe a second, shared by every task that an unusable database has cut off, so
// that they continue within two seconds (D-225).
import type { Timer } from "../ports.ts";

type Deps = { readonly ping: () => Promise<unknown>; readonly timer: Timer };

const PROBE_MS = 1_000;

/** The function that it returns resolves after a pause, once a probe succeeds. */
export function createProbe({ ping, timer }: Deps): () => Promise<void> {
  let usable: Promise<void> | null = null;

  const probe = (resolve: () => void): void => {
    const succeed = () => {
      usable = null;
      resolve();
    };
    timer(() => void ping().then(succeed, () => probe(resolve)), PROBE_MS);
  };

  return () => (usable ??= new Promise(probe));
}
