// The rules of the cookie tool for each sequence of library callbacks.
import { describe, expect, test } from "vitest";
import { type CookieTool, runCookieTool } from "../../../cookie/cookie-tool.ts";

type Call = readonly [error: unknown, result?: unknown];
type Told = { stdout: string[]; notices: string[]; errors: string[]; stops: number };

const PROMPT: Call = [new Error("Please open http://127.0.0.1:3456/ with your browser and login to Amazon."), null];
const COOKIE = "session-id=1; at-acbjp=Atza|X; csrf=5";
const registered = (localCookie: string) => ({ localCookie, amazonPage: "amazon.co.jp", refreshToken: "Atnr|R" });
const SUCCESS: Call = [null, registered(COOKIE)];
const REFUSED: Call = [new Error("No tokens in Register response"), null];

const never = <T>() => new Promise<T>(() => undefined);
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs the tool with a library that makes these calls, each in its own turn of the event loop. */
async function run(calls: readonly Call[], parts: Partial<CookieTool> = {}): Promise<Told & { exit: number }> {
  const told: Told = { stdout: [], notices: [], errors: [], stops: 0 };
  const made = Promise.withResolvers<void>();
  const exit = await runCookieTool({
    port: 3456,
    minutes: 30,
    generate: async (callback) => {
      for (const [error, result] of calls) {
        await turn();
        callback(error, result);
      }
      made.resolve();
    },
    stop: () => {
      told.stops += 1;
    },
    stdout: async (text) => void told.stdout.push(text),
    notice: async (text) => void told.notices.push(text),
    error: async (text) => void told.errors.push(text),
    browserGotPage: () => made.promise,
    unreachable: never(),
    providerGaveLogin: () => true,
    unfinished: never(),
    interrupted: never(),
    crashed: never(),
    timeIsUp: never(),
    ...parts,
  });
  return { ...told, exit };
}

describe("[1.B.4] the cookie tool", () => {
  test.each([
    ["a repeated login that fails", [SUCCESS, REFUSED]],
    ["a further prompt", [SUCCESS, PROMPT]],
  ] satisfies [string, Call[]][])("ignores everything after the first outcome: %s", async (_, calls) => {
    const { stdout, errors, notices, exit } = await run([PROMPT, ...calls]);
    expect({ stdout, errors, exit }).toEqual({ stdout: [`${COOKIE}\n`], errors: [], exit: 0 });
    expect(notices).toHaveLength(2);
  });

  test("keeps a failure when a success follows", async () => {
    const pending = Promise.withResolvers<void>();
    const { stdout, exit } = await run([PROMPT, REFUSED, SUCCESS], {
      error: () => pending.promise,
      browserGotPage: never,
      stop: () =>
        void turn()
          .then(turn)
          .then(() => pending.resolve()),
    });
    expect({ stdout, exit }).toEqual({ stdout: [], exit: 1 });
  });

  test.each([
    ["a result without a cookie", [null, {}], /without a cookie/],
    ["an empty result", [null, null], /without a cookie/],
    ["a cookie that cannot be sent", [null, registered("a=\n; csrf=1")], /a header cannot contain/],
  ] satisfies [string, Call, RegExp][])(
    "[4.cookie.error] [4.cookie.error_status] explains %s and exits 1",
    async (_, call, words) => {
      const { stdout, errors, stops, exit } = await run([PROMPT, call]);
      expect({ stdout, exit }).toEqual({ stdout: [], exit: 1 });
      expect(errors).toEqual([expect.stringMatching(words)]);
      expect(stops).toBeGreaterThan(0);
    },
  );

  test.each([
    ["without a login", "session-id=1", true],
    ["with a login that the provider has not given", "at-acbjp=EVIL", false],
  ])("continues when it gets cookies %s", async (_, cookies, gave) => {
    const { stdout, errors, exit } = await run([PROMPT, [null, cookies], SUCCESS], { providerGaveLogin: () => gave });
    expect({ stdout, errors, exit }).toEqual({ stdout: [`${COOKIE}\n`], errors: [], exit: 0 });
  });

  test("[4.cookie.error_status] exits 1 when the library throws at its start", async () => {
    const generate = () => {
      throw new Error("no");
    };
    expect(await run([], { generate })).toMatchObject({
      errors: ["The login failed (Error: no). Run the tool again and log in anew."],
      exit: 1,
    });
  });

  test("exits 1 when the library throws an uncaught error before there is a cookie", async () => {
    const crashed = turn().then(() => new TypeError("Cannot read properties of undefined (reading 'headers')"));
    expect(await run([PROMPT], { crashed })).toMatchObject({ stdout: [], exit: 1 });
    const late = turn()
      .then(turn)
      .then(turn)
      .then(() => new Error("late"));
    const browserGotPage = () => late.then(() => undefined);
    expect(await run([SUCCESS], { crashed: late, browserGotPage })).toMatchObject({ errors: [], exit: 0 });
  });

  test("fails when it is interrupted before the cookie is written", async () => {
    const interrupted = turn()
      .then(turn)
      .then(turn)
      .then(() => "SIGINT" as const);
    const { exit } = await run([PROMPT, SUCCESS], { stdout: never, interrupted, browserGotPage: never });
    expect(exit).toBe(130);
  });
});
