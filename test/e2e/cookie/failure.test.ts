// Logins that end without a cookie: a message on standard error, nothing on standard output, exit status 1.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import {
  type Answer,
  CAPABILITIES,
  CSRF,
  EXCHANGE,
  HAPPY,
  hangUp,
  json,
  page,
  REGISTER,
  type Routes,
  SECRETS,
  SIGN_IN,
  silence,
  USER,
} from "../../simulators/login-provider/login-provider.ts";
import { createBrowser } from "../../support/cookie/browser.ts";
import { MAIN } from "../../support/cookie/cookie-process.ts";
import { removeCertificates, setPromptedScene, setScene } from "../../support/cookie/scene.ts";
import { freePort } from "../../support/free-port.ts";

afterAll(removeCertificates);

const LONG = { timeout: 60_000 };

const cookies = (...values: object[]): Answer =>
  json({ response: { tokens: { cookies: { ".amazon.co.jp": values } } } });
const upTo = (route: string) => HAPPY.slice(0, HAPPY.indexOf(route) + 1);
const sets = (...cookies: string[]): Answer => page("", 200, { "set-cookie": cookies.map((it) => `${it}; Path=/`) });
const cutOff: Answer = (response) => {
  response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy());
};
const around: Answer = (response, { route }) =>
  response.writeHead(302, { location: `https://${route.replace(/^\w+ /, "")}` }).end();

/** The exchange for an account of another site. */
const EXCHANGE_ELSEWHERE = "POST www.amazon.com/ap/exchangetoken/cookies";
const CSRF_ELSEWHERE = "GET alexa.amazon.com/api/language";
const ELSEWHERE: Routes = {
  [USER]: json({ marketPlaceDomainName: "www.amazon.com" }),
  [EXCHANGE_ELSEWHERE]: json({
    response: { tokens: { cookies: { ".amazon.com": [{ Name: "at-main", Value: "Atza|LOCAL" }] } } },
  }),
  [CSRF_ELSEWHERE]: sets("csrf=5"),
};

const UNUSABLE = "The login library cannot use what the provider answered";
const OTHER_SITE = json({ response: { tokens: { cookies: { ".amazon.com": [] } } } });
const OUTAGE = page("Atza|ACCESS <html>CODE123</html>", 503);
const JAPANESE = cookies({ Name: "at-acbjp", Value: "東京" });
const FAILURES: readonly (readonly [string, Routes, string, readonly string[]])[] = [
  ["refused registration", { [REGISTER]: json({ response: { error: {} } }) }, "gave no tokens", upTo(REGISTER)],
  ["registration in an outage", { [REGISTER]: OUTAGE }, "cannot be read", upTo(REGISTER)],
  ["interrupted registration", { [REGISTER]: hangUp }, "broke off the connection", upTo(REGISTER)],
  ["registration that breaks the library", { [REGISTER]: json(null) }, `${UNUSABLE} (TypeError)`, upTo(REGISTER)],
  ["exchange without cookies", { [EXCHANGE]: json({ response: {} }) }, "gave no cookies", upTo(EXCHANGE)],
  ["exchange for another site", { [EXCHANGE]: OTHER_SITE }, "gave no cookies", upTo(EXCHANGE)],
  ["interrupted exchange", { [EXCHANGE]: hangUp }, "broke off the connection", upTo(EXCHANGE)],
  ["cookie for no header", { [EXCHANGE]: JAPANESE }, `${UNUSABLE} (TypeError, ERR_INVALID_CHAR)`, upTo(EXCHANGE)],
  ["login without an account", { [EXCHANGE]: cookies() }, "is not signed in", HAPPY],
  ["login that is taken back", { [CSRF]: sets("csrf=5", "at-acbjp=-") }, "is not signed in", HAPPY],
  ["interrupted question for the site", { [USER]: hangUp }, "broke off the connection", upTo(USER)],
  [
    "account of another site",
    ELSEWHERE,
    "belongs to another site",
    [...upTo(USER), EXCHANGE_ELSEWHERE, CSRF_ELSEWHERE],
  ],
];

/** After these the library never calls back. */
const UNFINISHED: readonly (readonly [string, Routes])[] = [
  ["is cut off within a body", { [REGISTER]: cutOff }],
  ["gets no answer", { [USER]: silence }],
  ["is sent around in circles", { [CSRF]: around }],
];

describe.concurrent("[7.9] [4.cookie.error] [4.cookie.error_status] the cookie tool", () => {
  test.for(FAILURES)("explains the %s and exits 1", async ([, routes, words, called], context) => {
    const { browser, provider, tool } = await setPromptedScene(context, { routes });
    // The tool does not depend on the last page, which may not load any more.
    await browser.logIn().catch(() => undefined);
    const { exit, stdout, stderr } = await tool.ended;
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr.match(/^error: .*$/gm)).toEqual([expect.stringContaining(words)]);
    expect(stderr).not.toMatch(/^ {4}at |node:|Error:/m);
    expect(SECRETS.filter((secret) => [stderr, ...browser.pages].join("\n").includes(secret))).toEqual([]);
    expect(provider.routes()).toEqual(called);
    expect(tool.temporary()).toEqual([]);
  });

  test.for(UNFINISHED)("gives up a login that %s", async ([, routes], context) => {
    const env = { FAKE_DELAYS: '{"60000":300}' };
    const { browser, tool } = await setPromptedScene(context, { routes, env });
    await browser.logIn().catch(() => undefined);
    const { exit, stdout, stderr } = await tool.ended;
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toMatch(/^error: The provider did not finish the login\. .*again.*\n$/m);
  });

  test("continues while the provider cannot be reached, says so once, and ends with Ctrl-C", async (context) => {
    const { browser, provider, tool } = await setPromptedScene(context);
    await provider.close();
    expect(await browser.get("/?secret=CODE123")).toMatchObject({ status: 500 });
    expect(await browser.get("/")).toMatchObject({ status: 500 });
    await tool.says("error: The provider cannot be reached (ECONNREFUSED)");
    const { exit, stdout, stderr } = await tool.kill("SIGINT");
    expect({ exit, stdout }).toEqual({ exit: 130, stdout: "" });
    expect(stderr.match(/cannot be reached/g)).toHaveLength(1);
    expect(stderr).not.toMatch(/HPM|CODE123/);
  });

  test("does not report a network error for a failed request of the library", async (context) => {
    const routes = { [CAPABILITIES]: hangUp, [USER]: silence };
    const { browser, provider, tool } = await setPromptedScene(context, { routes });
    const last = await browser.submit(await browser.get("/"));
    await context.expect.poll(provider.routes, LONG).toContain(USER);
    await browser.follow(last);
    expect((await tool.kill("SIGINT")).stderr).not.toContain("cannot be reached");
  });

  test("shows no local paths on an error page", async (context) => {
    const { browser, tool } = await setPromptedScene(context);
    const page = await browser.get("/amazon.com/");
    expect(page.status).toBe(500);
    expect(page.body).not.toMatch(/node_modules|cookie-process|\.[jt]s\b/);
    await tool.kill("SIGINT");
  });

  test("keeps debug output of its libraries out of both outputs", async (context) => {
    const odd: Answer = (response) =>
      response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("?"));
    const env = { DEBUG: "*" };
    const { browser, tool } = await setPromptedScene(context, { routes: { [SIGN_IN]: odd }, env });
    expect((await browser.get("/")).status).toBe(200);
    const { stdout, stderr } = await tool.kill("SIGTERM");
    expect(stdout).toBe("");
    expect(stderr).not.toMatch(/encoding|express|router|signin/);
  });

  test("says that the cookie is lost when its output is closed", async (context) => {
    const { browser, tool } = await setPromptedScene(context);
    tool.child.stdout?.destroy();
    await browser.logIn().catch(() => undefined);
    const { exit, stderr } = await tool.ended;
    expect(exit).toBe(1);
    expect(stderr).toContain("error: The cookie could not be written to standard output (EPIPE) and is lost.");
  });

  test.for([
    [{ NODE_DEBUG: "http" }, "NODE_DEBUG is set"],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, "NODE_TLS_REJECT_UNAUTHORIZED is 0"],
  ] as const)("refuses to begin under %j", async ([env, words], context) => {
    const { exit, stdout, stderr } = await (await setScene(context, { env })).tool.ended;
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain(`error: ${words}`);
    expect(stderr).not.toContain("Please open");
  });

  test.each([">&-", ">/dev/null"])("refuses to begin when its standard output is lost: %s", async (to) => {
    const args = [MAIN, "--port", String(await freePort("0.0.0.0")), "--minutes", "0.001"];
    const tool = promisify(execFile)("sh", ["-c", `exec "$@" ${to}`, "sh", process.execPath, ...args]);
    await expect(tool).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: Standard output is/) });
  });

  test("names a busy port, and the option for another", async (context) => {
    const { tool } = await setPromptedScene(context);
    const second = await setScene(context, { port: tool.port });
    expect(await second.tool.ended).toEqual({
      exit: 1,
      stdout: "",
      stderr: `error: Port ${tool.port} is in use. End the program that listens there, or choose another with --port.\n`,
    });
    expect((await createBrowser(tool.port).get("/cookie-success")).status).toBe(200);
  });

  test("gives up when its time limit is over", async (context) => {
    const { tool } = await setScene(context, { args: ["--minutes", "0.001"] });
    const { exit, stdout, stderr } = await tool.ended;
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("error: There was no login within 0.001 minutes");
  });
});
