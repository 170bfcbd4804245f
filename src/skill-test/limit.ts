// The limit of time of a trial: what never ends in a skill or in its test.ts fails, with what it was (D-278).
import { setTimeout as sleep } from "node:timers/promises";

export const LIMIT_S = 60;

/** `found` is a sentence without its full stop. Every further case would take as long, so none is tried. */
export class Hung extends Error {
  override readonly name = "Hung";
  readonly limit_s: number;
  readonly fix: string;

  constructor(found: string, { limit_s, fix }: { readonly limit_s: number; readonly fix: string }) {
    super(found);
    this.limit_s = limit_s;
    this.fix = fix;
  }
}

/** `what` is a part of test.ts, or the test.ts. What has not ended goes on, and nothing waits for it. */
export async function withLimit<T>(limit_s: number, what: string, work: () => Promise<T> | T): Promise<T> {
  const ended = new AbortController();
  const late = sleep(limit_s * 1_000, undefined, ended).then(
    () => {
      throw new Hung(`${what} has not ended after ${limit_s} s`, {
        limit_s,
        fix: `Let everything that ${what} awaits end.`,
      });
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work(), late]);
  } finally {
    ended.abort();
  }
}
