// The command line in the process of the test: what it writes is kept, and its heavy parts are not there.
import { Readable, Writable } from "node:stream";
import type { CommandLineContext } from "../../src/cli/context.ts";
import { runCommandLine } from "../../src/cli/program.ts";
import { type OrchProcess, TOKEN } from "./orch-process.ts";

export type Said = { readonly exit: number; readonly stdout: string; readonly stderr: string };

function sink(over: object) {
  let text = "";
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, over), text: () => text };
}

type Over = Partial<Omit<CommandLineContext, "stdin" | "stdout" | "stderr">> & {
  readonly stdin?: string;
  /** Columns of a terminal; otherwise the answer goes to a pipe. */
  readonly columns?: number;
};

const absent = () => Promise.reject(new Error("not in this test"));

export async function runInProcess(
  args: readonly string[],
  { stdin = "", columns, ...over }: Over = {},
): Promise<Said> {
  const stdout = sink(columns === undefined ? {} : { isTTY: true, columns });
  const stderr = sink({});
  const exit = await runCommandLine(args, {
    environment: {},
    cwd: import.meta.dirname,
    home: "/home/me",
    clock: () => new Date(),
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    version: "1.2.3",
    patience_ms: 2_000,
    onInterrupt: () => () => undefined,
    parts: {
      serve: absent,
      doctor: absent,
      backup: absent,
      restore: absent,
      migrate: absent,
      bridge: absent,
      embed: absent,
      skills: absent,
      evalRouting: absent,
      evalAgent: absent,
    },
    ...over,
  });
  return { exit, stdout: stdout.text(), stderr: stderr.text() };
}

/** Speaks to that server, as its supervisor, and waits for it as the program does. */
export const inProcessOf =
  ({ url }: Pick<OrchProcess, "url">) =>
  (args: readonly string[], { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {}): Promise<Said> =>
    runInProcess(args, { environment: { ORCH_URL: url, ORCH_TOKEN: TOKEN, ...env }, patience_ms: 60_000 });
