// Decides how the cookie tool ends. The library calls back many times: its prompt is reported as an error, and every further
// login causes another call. Only the first outcome counts. When the provider breaks off, the library never calls back.
import type library from "alexa-cookie2";
import { codeOf, explainError, isPrompt } from "./explain-error.ts";
import { OWN_ADDRESS, SITE } from "./library-options.ts";

export type CookieTool = {
  readonly port: number;
  readonly minutes: number;
  readonly generate: (callback: library.Callback) => void;
  readonly stop: () => void;
  /** Resolves when the text is written; the value is the error when writing fails. */
  readonly stdout: (text: string) => Promise<unknown>;
  /** For information only; prints nothing in quiet mode. */
  readonly notice: (text: string) => Promise<void>;
  readonly error: (text: string) => Promise<void>;
  readonly browserGotPage: () => Promise<void>;
  readonly unreachable: Promise<string>;
  /** Whether the provider has set a cookie of a login. */
  readonly providerGaveLogin: () => boolean;
  /** Resolves when the library has had a login for so long that it will not call back any more (D-163). */
  readonly unfinished: Promise<void>;
  readonly interrupted: Promise<Signal>;
  readonly crashed: Promise<unknown>;
  readonly timeIsUp: Promise<void>;
};

type Outcome =
  | { readonly is: "result"; readonly result: unknown }
  | { readonly is: "error"; readonly error: unknown }
  | { readonly is: "signal"; readonly signal: Signal }
  | { readonly is: "unfinished" }
  | { readonly is: "time_is_up" };

/** Resolves to the exit status when the process may end. */
export async function runCookieTool(tool: CookieTool): Promise<number> {
  const outcome = await firstOutcome(tool);
  const exit = outcome.is === "result" ? await deliver(tool, outcome.result) : await giveUp(tool, outcome);
  tool.stop();
  return exit;
}

function firstOutcome({ generate, notice, error: tell, port, minutes, ...events }: CookieTool): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let over = false;
  const end = (outcome: Outcome) => {
    over = true;
    resolve(outcome);
  };
  void events.interrupted.then((signal) => end({ is: "signal", signal }));
  void events.crashed.then((error) => end({ is: "error", error }));
  void events.unfinished.then(() => end({ is: "unfinished" }));
  void events.timeIsUp.then(() => end({ is: "time_is_up" }));
  void events.unreachable.then(async (code) => {
    if (!over) await tell(unreachable(code));
  });
  try {
    generate((error, result) => {
      if (over) return;
      if (isPrompt(error)) void notice(prompt(port, minutes));
      else if (error) end({ is: "error", error });
      else if (isOutcome(result, events.providerGaveLogin())) end({ is: "result", result });
    });
  } catch (error) {
    end({ is: "error", error });
  }
  return promise;
}

async function deliver(tool: CookieTool, result: unknown): Promise<number> {
  const found = cookieOf(result);
  if (!found.ok) {
    await tool.error(found.why);
    return EXIT.failed;
  }
  const { interrupted } = tool;
  const written = tool.stdout(`${found.cookie}\n`).then((failure) => ({ failure }));
  const end = await Promise.race([written, interrupted]);
  if (typeof end === "string") return giveUp(tool, { is: "signal", signal: end });
  if (end.failure) {
    await tool.error(notPrinted(codeOf(end.failure) ?? "unknown error"));
    return EXIT.failed;
  }
  await tool.notice(PRINTED);
  await Promise.race([tool.browserGotPage(), interrupted]);
  return EXIT.done;
}

async function giveUp(tool: CookieTool, outcome: Exclude<Outcome, { is: "result" }>): Promise<number> {
  tool.stop();
  if (outcome.is === "signal") {
    await tool.notice(INTERRUPTED);
    return SIGNAL_EXIT[outcome.signal];
  }
  await tool.error(whyNot(outcome, tool));
  return EXIT.failed;
}

function whyNot(outcome: Exclude<Outcome, { is: "result" | "signal" }>, { minutes }: CookieTool): string {
  if (outcome.is === "error") return explainError(outcome.error);
  return outcome.is === "unfinished" ? UNFINISHED : timeIsUp(minutes);
}

const amount = (minutes: number): string => `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;

const prompt = (
  port: number,
  minutes: number,
): string => `Please open this address in a private window of a browser on this computer and log in:

    http://${OWN_ADDRESS}:${port}/

Use exactly this address, not localhost. The cookie is printed on standard output after the login.
Warning: while this runs, anyone on the network can reach the login proxy at port ${port} of this computer.
Use it only in a network that you trust. It ends by itself after ${amount(minutes)}; Ctrl-C ends it at once.`;

const unreachable = (code: string): string =>
  `The provider cannot be reached (${code}). Check the network of this computer and load the page again.`;

const PRINTED = `The cookie is printed, this once; anyone who has it is logged in as you.
Store it as the secret variable f/voice/account_cookie of the flow engine, never in a file under version control.
It expires within days to weeks: then run npm run --silent cookie again.`;

const INTERRUPTED = "Interrupted: the login proxy is stopped, no cookie was printed.";

const timeIsUp = (minutes: number): string =>
  `There was no login within ${amount(minutes)}, so the login proxy is stopped. Run the tool again when you are ready.`;

const UNFINISHED = "The provider did not finish the login. Wait some minutes, then run the tool again and log in anew.";

const notPrinted = (code: string): string =>
  `The cookie could not be written to standard output (${code}) and is lost. Run the tool again and log in anew.`;

type CookieResult = { readonly ok: true; readonly cookie: string } | { readonly ok: false; readonly why: string };

const AGAIN = "Run the tool again and log in anew.";

/**
 * The library calls back with a bare string of all cookies that it has seen when a page is fetched, and anyone on the network
 * can fetch that page. The string counts only when it contains a login and the provider has given one.
 */
export const isOutcome = (result: unknown, providerGaveLogin: boolean): boolean =>
  typeof result !== "string" || (providerGaveLogin && isLoggedIn(result));

/** Finds the cookie in a result of the library and decides whether the voice server can use it (D-162). */
export function cookieOf(result: unknown): CookieResult {
  const isBare = typeof result === "string";
  const cookie = isBare ? result : textOf(result, "localCookie") || textOf(result, "cookie");
  if (cookie === "") return no(`The login ended without a cookie. ${AGAIN}`);
  if (!isBare && textOf(result, "amazonPage") !== SITE)
    return no(
      `The account belongs to another site, and the voice server speaks to ${SITE}. Log in with an account of that site.`,
    );
  // A header cannot contain control characters or anything outside Latin-1.
  if (!/^[\x20-\x7e\xa0-\xff]+$/.test(cookie))
    return no(`The cookie of this login cannot be sent: it contains characters that a header cannot contain. ${AGAIN}`);
  if (!isLoggedIn(cookie)) return no(`The cookie of this login is not signed in. ${AGAIN}`);
  return { ok: true, cookie };
}

const no = (why: string): CookieResult => ({ ok: false, why });

function textOf(result: unknown, name: string): string {
  const text: unknown = typeof result === "object" && result !== null ? Reflect.get(result, name) : undefined;
  return typeof text === "string" ? text : "";
}

/** Providers revoke a cookie by setting it to one of these empty values. */
const isLoggedIn = (cookies: string): boolean => !["", '""', "-"].includes(valueIn(cookies, "at-acbjp"));

function valueIn(cookies: string, name: string): string {
  const found = cookies.split(";").find((cookie) => cookie.trim().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) ?? "";
}

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

export const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type Signal = keyof typeof SIGNAL_EXIT;
export const SIGNALS: readonly Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
