// How every simulator's `serve.ts` runs: it prints where it listens, and ends on Ctrl-C or SIGTERM with what it started.
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";

/** The options of the command line, all of them `--name value`. `--help` and anything else end the program with a line. */
export function optionsOf(...names: readonly string[]): Readonly<Record<string, string | undefined>> {
  const all = ["port", ...names];
  const options = Object.fromEntries(all.map((name) => [name, { type: "string" as const }]));
  try {
    const { help, ...values } = parseArgs({ options: { ...options, help: { type: "boolean" } } }).values;
    if (help !== true) return values as Record<string, string | undefined>;
  } catch (error) {
    process.stderr.write(`${(error instanceof Error ? error.message : String(error)).replaceAll("\n", " ")}\n`);
    process.exit(2);
  }
  const simulator = basename(dirname(process.argv[1] ?? ""));
  process.stdout.write(`npm run simulate:${simulator} -- ${all.map((name) => `[--${name} VALUE]`).join(" ")}\n`);
  process.exit(0);
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
