// Parses and checks the command line of the cookie tool before anything starts.
import { parseArgs } from "node:util";

export type CookieCommand =
  | { readonly is: "run"; readonly port: number; readonly minutes: number; readonly quiet: boolean }
  | { readonly is: "help" }
  | { readonly is: "wrong"; readonly message: string };

const MOST_MINUTES = 1440;

export const USAGE = `Usage: npm run --silent cookie -- [options]

Obtains the account cookie of the voice server. It starts a login proxy on this computer; you log in there with a
browser, and the cookie is printed on standard output, once and alone. Everything else goes to standard error.

Options:
  --port N      the port of the proxy, 1 to 65535 (default 3456)
  --minutes N   give up after so many minutes, at most ${MOST_MINUTES} (default 30)
  --quiet       nothing but errors on standard error, not even the address to open
  -h, --help    show this

Exit status: 0 the cookie is printed, 1 it is not, 2 the command line is wrong; 128 and the number of the signal
when it was interrupted (130 for Ctrl-C).
`;

const OPTIONS = {
  port: { type: "string", default: "3456" },
  minutes: { type: "string", default: "30" },
  quiet: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

export function readArguments(argv: readonly string[]): CookieCommand {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS });
    return values.help ? { is: "help" } : judge(values);
  } catch (error) {
    return wrong(error instanceof Error ? error.message : "the command line cannot be read");
  }
}

function judge({ port, minutes, quiet }: { port: string; minutes: string; quiet: boolean }): CookieCommand {
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    return wrong(`--port must be a number from 1 to 65535, not ${JSON.stringify(port)}`);
  if (!/^\d+(\.\d+)?$/.test(minutes) || Number(minutes) <= 0 || Number(minutes) > MOST_MINUTES)
    return wrong(`--minutes must be a number above 0 and at most ${MOST_MINUTES}, not ${JSON.stringify(minutes)}`);
  return { is: "run", port: Number(port), minutes: Number(minutes), quiet };
}

/** The parser's first sentence says what is wrong; the rest of its explanation is dropped. */
function wrong(message: string): CookieCommand {
  const [sentence = ""] = message.split(/\.\s|\n/);
  return { is: "wrong", message: `${sentence.replace(/\.$/, "")} (--help shows the options)` };
}
