// How every simulator's `serve.ts` runs: it prints where it listens, and ends on Ctrl-C or SIGTERM with what it started.
import { parseArgs } from "node:util";

/** The options of the command line, all of them `--name value`; anything else ends the program with a sentence. */
export function optionsOf(...names: readonly string[]): Readonly<Record<string, string | undefined>> {
  const options = Object.fromEntries(["port", ...names].map((name) => [name, { type: "string" as const }]));
  return parseArgs({ options }).values as Record<string, string | undefined>;
}

/** Port 0, any that is free, unless one is named. */
export const portOf = ({ port = "0" }: Readonly<Record<string, string | undefined>>): number => Number(port);

export async function serveUntilStopped(server: AsyncDisposable, lines: readonly string[]): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop());
  process.stdout.write(`${lines.join("\n")}\n`);
  await stopped;
  await server[Symbol.asyncDispose]();
}
