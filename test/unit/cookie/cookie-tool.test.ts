// The rules of the cookie tool, on the sequences in which the library calls back.
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

/** Runs the tool with a library that makes these calls, each in a turn of its own. */
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
  test("[4.cookie.prompt] takes the prompt for no failure: it tells the address and a warning and goes on", async () => {
    const { notices, errors, exit } = await run([PROMPT, SUCCESS]);
    expect(notices[0]).toContain("http://127.0.0.1:3456/");
    expect(notices[0]).toMatch(/Warning: .*anyone on the network/);
    expect({ errors, exit }).toEqual({ errors: [], exit: 0 });
  });

  test("[4.cookie.print] prints the cookie once, waits for the browser, stops the proxy and exits 0", async () => {
    const { stdout, stops, exit, notices } = await run([PROMPT, SUCCESS]);
    expect({ stdout, stops, exit }).toEqual({ stdout: [`${COOKIE}\n`], stops: 1, exit: 0 });
    expect(notices[1]).toContain("f/voice/account_cookie");
  });

  test.each([
    ["a repeated login", [SUCCESS, SUCCESS, [null, registered("other=1; csrf=1")]]],
    ["a repeated login that fails", [SUCCESS, REFUSED]],
    ["a further prompt", [SUCCESS, PROMPT]],
  ] satisfies [string, Call[]][])("counts nothing behind the first outcome: %s", async (_, calls) => {
    const { stdout, errors, notices, exit } = await run([PROMPT, ...calls]);
    expect({ stdout, errors, exit }).toEqual({ stdout: [`${COOKIE}\n`], errors: [], exit: 0 });
    expect(notices).toHaveLength(2);
  });

  test("stays with a failure when a success comes behind it", async () => {
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
    ["any other error", REFUSED, /gave no tokens/],
    ["a port that is busy", [new Error("Proxy Server could not be initialized. Check Logs."), null], /--port/],
    ["a result without csrf", [null, registered("at-acbjp=X")], /gave no csrf/],
    ["a result without a cookie", [null, {}], /without a cookie/],
    ["an empty result", [null, null], /without a cookie/],
    ["a result of nobody", [null, registered("session-id=1; csrf=5")], /is not signed in/],
    ["a result of another site", [null, { ...registered(COOKIE), amazonPage: "amazon.com" }], /another site/],
    ["a cookie that cannot be sent", [null, registered("a=\n; csrf=1")], /a header cannot contain/],
  ] satisfies [string, Call, RegExp][])("[4.cookie.error] explains %s and exits 1", async (_, call, words) => {
    const { stdout, errors, stops, exit } = await run([PROMPT, call]);
    expect({ stdout, exit }).toEqual({ stdout: [], exit: 1 });
    expect(errors).toEqual([expect.stringMatching(words)]);
    expect(stops).toBeGreaterThan(0);
  });

  test("prints the cookies of a login without a code as they are", async () => {
    const { stdout, exit } = await run([PROMPT, [null, "ubid-acbjp=1; at-acbjp=Atza|X"]]);
    expect({ stdout, exit }).toEqual({ stdout: ["ubid-acbjp=1; at-acbjp=Atza|X\n"], exit: 0 });
  });

  test.each([
    ["without a login", "session-id=1", true],
    ["with a login that the provider has not given", "at-acbjp=EVIL", false],
  ])("goes on when it is given cookies %s", async (_, cookies, gave) => {
    const { stdout, errors, exit } = await run([PROMPT, [null, cookies], SUCCESS], { providerGaveLogin: () => gave });
    expect({ stdout, errors, exit }).toEqual({ stdout: [`${COOKIE}\n`], errors: [], exit: 0 });
  });

  test("gives up when the library has had a login for too long", async () => {
    const { stdout, errors, stops, exit } = await run([PROMPT], { unfinished: turn().then(() => undefined) });
    expect({ stdout, exit }).toEqual({ stdout: [], exit: 1 });
    expect(errors).toEqual([expect.stringMatching(/^The provider did not finish the login\. .*again/)]);
    expect(stops).toBeGreaterThan(0);
  });

  test("exits 1 when the library throws as it is started", async () => {
    const generate = () => {
      throw new Error("no");
    };
    expect(await run([], { generate })).toMatchObject({
      errors: ["The login failed (Error). Run the tool again and log in anew."],
      exit: 1,
    });
  });

  test("exits 1 when the library throws where nobody catches it, until there is a cookie", async () => {
    const crashed = turn().then(() => new TypeError("Cannot read properties of undefined (reading 'headers')"));
    expect(await run([PROMPT], { crashed })).toMatchObject({ stdout: [], exit: 1 });
    const late = turn()
      .then(turn)
      .then(turn)
      .then(() => new Error("late"));
    const browserGotPage = () => late.then(() => undefined);
    expect(await run([SUCCESS], { crashed: late, browserGotPage })).toMatchObject({ errors: [], exit: 0 });
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends with %s and status %i", async (signal, status) => {
    const interrupted = turn()
      .then(turn)
      .then(() => signal);
    const { stdout, errors, notices, stops, exit } = await run([PROMPT], { interrupted });
    expect({ stdout, errors, exit }).toEqual({ stdout: [], errors: [], exit: status });
    expect(notices[1]).toMatch(/^Interrupted/);
    expect(stops).toBeGreaterThan(0);
  });

  test("has succeeded when it is interrupted behind the cookie", async () => {
    const written = Promise.withResolvers<"SIGINT">();
    const stdout = async () => void turn().then(() => written.resolve("SIGINT"));
    const { exit } = await run([PROMPT, SUCCESS], { stdout, interrupted: written.promise, browserGotPage: never });
    expect(exit).toBe(0);
  });

  test("has not succeeded when it is interrupted before anybody read the cookie", async () => {
    const interrupted = turn()
      .then(turn)
      .then(turn)
      .then(() => "SIGINT" as const);
    const { exit } = await run([PROMPT, SUCCESS], { stdout: never, interrupted, browserGotPage: never });
    expect(exit).toBe(130);
  });

  test("exits 1 when the cookie cannot be written", async () => {
    const stdout = async () => Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    const { errors, exit } = await run([PROMPT, SUCCESS], { stdout });
    expect(errors).toEqual([expect.stringMatching(/could not be written to standard output \(EPIPE\)/)]);
    expect(exit).toBe(1);
  });

  test("gives up when its time is up", async () => {
    const { errors, exit } = await run([PROMPT], { timeIsUp: turn().then(() => undefined) });
    expect(errors).toEqual([expect.stringMatching(/^There was no login within 30 minutes/)]);
    expect(exit).toBe(1);
  });

  test("tells that the provider cannot be reached and goes on", async () => {
    const { errors, stdout, exit } = await run([PROMPT, SUCCESS], { unreachable: Promise.resolve("ENOTFOUND") });
    expect(errors).toEqual([expect.stringMatching(/cannot be reached \(ENOTFOUND\)/)]);
    expect({ stdout, exit }).toEqual({ stdout: [`${COOKIE}\n`], exit: 0 });
  });
});
