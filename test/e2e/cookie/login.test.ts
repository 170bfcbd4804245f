// Logins that end with a cookie: the real process and the real library against a simulated provider.
import { afterAll, describe, expect, test } from "vitest";
import {
  type Answer,
  COOKIE,
  CSRF,
  HAPPY,
  LOG_IN,
  loginTo,
  page,
  type Routes,
  SECRETS,
  SIGN_IN,
  USER,
} from "../../simulators/login-provider/login-provider.ts";
import { isServing } from "../../support/cookie/cookie-process.ts";
import { removeCertificates, type Scene, setPromptedScene, setScene } from "../../support/cookie/scene.ts";

afterAll(removeCertificates);

const LONG = { timeout: 60_000 };

function expectNoSecret({ tool, browser }: Scene) {
  const seen = [tool.stderr(), ...browser.pages].join("\n");
  expect(SECRETS.filter((secret) => seen.includes(secret))).toEqual([]);
}

describe.concurrent("[1.B.4] a login at the simulated provider", () => {
  test("[4.cookie.print] [4.cookie.success_status] [2.cookie] prints the cookie once, alone, and exits 0 when the browser has its page", async (context) => {
    const scene = await setPromptedScene(context);
    const last = await scene.browser.logIn();
    expect(last).toMatchObject({ status: 200, url: expect.stringMatching(/\/cookie-success$/) });
    expect(last.body).toContain("Return to the terminal");
    const { exit, stdout, stderr } = await scene.tool.ended;
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `${COOKIE}\n` });
    expect(scene.provider.routes()).toEqual(HAPPY);
    expect(stderr).toContain("f/voice/account_cookie");
    expect(stderr).not.toMatch(/HPM|DEP0|Warning: The/);
    expectNoSecret(scene);
    expect(scene.tool.temporary()).toEqual([]);
  });

  test("[4.cookie.site] [4.cookie.language] [1.B.4.openid] is made at the Japanese site, in Japanese", async (context) => {
    const { browser, provider, tool } = await setPromptedScene(context);
    await browser.logIn();
    await tool.ended;
    const [signIn, , register] = provider.received;
    expect(signIn?.headers["accept-language"]).toBe("ja-JP");
    expect(signIn?.query.get("language")).toBe("ja_JP");
    expect(signIn?.query.get("openid.assoc_handle")).toBe("amzn_dp_project_dee_ios_jp");
    expect(register?.body).toContain('"app_name":"orch voice"');
  });

  test("works with a browser that offers encodings that the library cannot read", async (context) => {
    const { browser, provider, tool } = await setPromptedScene(context);
    expect((await browser.get("/")).body).toContain(`http://127.0.0.1:${tool.port}/www.amazon.co.jp/ap/signin`);
    expect(provider.received[0]?.headers["accept-encoding"]).toBe("gzip, deflate");
    await tool.kill("SIGINT");
  });

  test("shows the form again after a wrong password, and the right one succeeds", async (context) => {
    const scene = await setPromptedScene(context);
    const { browser, provider, tool } = scene;
    const refused = await browser.logIn("a wrong one");
    expect(refused.body).toContain("wrong password");
    await browser.logIn();
    expect(await tool.ended).toMatchObject({ exit: 0, stdout: `${COOKIE}\n` });
    expect(provider.routes()).toEqual([SIGN_IN, LOG_IN, SIGN_IN, LOG_IN, ...HAPPY.slice(2)]);
    expectNoSecret(scene);
  });

  test("that was cancelled can be made again", async (context) => {
    const answers = [loginTo("https://www.amazon.co.jp/ap/maplanding?openid.mode=cancel")];
    const right = loginTo("https://www.amazon.co.jp/ap/maplanding?openid.oa2.authorization_code=CODE123");
    const firstCancelled: Answer = (...args) => (answers.pop() ?? right)(...args);
    const routes = {
      [LOG_IN]: firstCancelled,
      "GET www.amazon.co.jp/ap/maplanding": page("cancelled"),
    };
    const { browser, tool } = await setPromptedScene(context, { routes });
    expect((await browser.logIn()).body).toContain("cancelled");
    expect(tool.stdout()).toBe("");
    await browser.logIn();
    expect(await tool.ended).toMatchObject({ exit: 0, stdout: `${COOKIE}\n` });
  });

  test("is not ended by another client that requests its last page, with any cookie", async (context) => {
    const env = { FAKE_DELAYS: '{"60000":1}' };
    const { browser, tool } = await setPromptedScene(context, { env });
    const stranger = { headers: { cookie: "at-acbjp=EVIL" }, redirect: "manual" } as const;
    expect((await fetch(`http://127.0.0.1:${tool.port}/spa/index.html`, stranger)).status).toBe(302);
    expect((await browser.get("/")).status).toBe(200);
    expect((await browser.get("/cookie-success")).status).toBe(200);
    expect(await tool.kill("SIGINT")).toMatchObject({ exit: 130, stdout: "" });
  });

  test("is waited for when another client fetched its last page before", async (context) => {
    const env = { FAKE_DELAYS: '{"1000":1,"10000":600000}' };
    const { browser, tool } = await setPromptedScene(context, { env });
    await browser.get("/cookie-success");
    const last = await browser.submit(await browser.get("/"));
    await tool.says("f/voice/account_cookie");
    expect((await browser.follow(last)).body).toContain("Return to the terminal");
    expect(await tool.ended).toMatchObject({ exit: 0, stdout: `${COOKIE}\n` });
  });

  const devices: Answer = (response) => response.setHeader("set-cookie", "csrf=-1168781950; Path=/").end("{}");
  const BY_DEVICES = { [CSRF]: page(""), "GET alexa.amazon.co.jp/api/devices-v2/device": devices };
  const WITHOUT_CODE = { [LOG_IN]: loginTo("https://alexa.amazon.co.jp/spa/index.html") };
  test.for<readonly [string, Routes, RegExp]>([
    ["whose provider does not name the customer", { [USER]: page("", 401) }, /^session-id=[^\n]*csrf=[^\n]*\n$/],
    ["that ends without a code", WITHOUT_CODE, /^[^\n]*at-acbjp=Atza\|LOGIN[^\n]*\n$/],
    ["whose csrf is set only by the third address", BY_DEVICES, /; csrf=-1168781950\n$/],
    ["without a csrf: the voice server obtains its own", { [CSRF]: page("") }, /^(?!.*csrf)[^\n]*at-acbjp=[^\n]*\n$/],
  ])("succeeds, with the last page for the browser: one %s", async ([, routes, cookie], context) => {
    const { browser, tool } = await setPromptedScene(context, { routes });
    expect((await browser.logIn()).status).toBe(200);
    expect(await tool.ended).toMatchObject({ exit: 0, stdout: expect.stringMatching(cookie) });
  });

  test("whose browser never fetches the last page succeeds", async (context) => {
    const { browser, tool } = await setPromptedScene(context, { env: { FAKE_DELAYS: '{"10000":1}' } });
    await browser.submit(await browser.get("/"));
    expect(await tool.ended).toMatchObject({ exit: 0, stdout: `${COOKIE}\n` });
  });

  test("in quiet mode prints nothing but the cookie", async (context) => {
    const { browser, tool } = await setScene(context, { args: ["--quiet"] });
    await context.expect.poll(() => isServing(tool.port), LONG).toBe(true);
    await browser.logIn();
    expect(await tool.ended).toEqual({ exit: 0, stdout: `${COOKIE}\n`, stderr: "" });
  });
});
