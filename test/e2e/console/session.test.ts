// The session of a tab, in a real browser: what a page on another port of the host can do with its cookie, and what a human sees
// when the server was killed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browser, logInByForm, openConsole, untilQuiet } from "../../support/browser.ts";
import { littleServer } from "../../support/cli-server.ts";
import { freePort } from "../../support/free-port.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const chromium = browser();

describe.skipIf(chromium.is_missing)("a tab of the console", () => {
  const left = new AsyncDisposableStack();
  let start: () => Promise<OrchProcess>;
  let orch: OrchProcess;

  beforeAll(async () => {
    const { path: data_dir } = left.use(await temporaryDirectory());
    const port = String(await freePort());
    start = () => startOrchProcess({ data_dir, env: { ORCH_PORT: port } });
    orch = await start();
    left.defer(async () => void (await orch.kill("SIGTERM")));
    left.defer(chromium.close);
  });
  afterAll(() => left.disposeAsync());

  test("lends its cookie to a page on another port, which is refused all the same, and goes on itself", async () => {
    await using tab = await chromium.open();
    await openConsole(orch, tab.page);
    const freeze = JSON.stringify({ reason: "foreign" });
    await using foreign = await littleServer(({ path }) => ({
      type: "text/html",
      body: path === "/" ? `<form method="post" action="${orch.url}/v1/freezes"><button>Go</button></form>` : "",
    }));
    const page = await tab.page.context().newPage();
    tab.expectFaults(/Failed to load resource|blocked by CORS policy|favicon/);
    const answers: string[] = [];
    page.on("response", (answer) => {
      if (answer.url().startsWith(orch.url)) answers.push(`${answer.request().method()} ${answer.status()}`);
    });
    await page.goto(foreign.url);
    // A cookie knows no port: this is why it opens nothing alone.
    expect(foreign.asked[0]?.headers.cookie).toContain("__Host-orch=");
    const send = (path: string, init: object) =>
      page.evaluate<string>(
        `fetch(${JSON.stringify(orch.url + path)}, ${JSON.stringify({ credentials: "include", ...init })}).then(() => "sent", () => "failed")`,
      );
    expect(await send("/v1/freezes", { method: "POST", mode: "no-cors", body: freeze })).toBe("sent");
    expect(await send("/console/logout", { method: "POST", mode: "no-cors", body: "{}" })).toBe("sent");
    expect(await send("/v1/tasks", {})).toBe("failed");
    expect(await send("/v1/tasks", { headers: { "X-Orch-Key": "k" } })).toBe("failed");
    await page.getByRole("button", { name: "Go" }).click();
    await page.waitForURL(`${orch.url}/v1/freezes`);
    expect(answers).toEqual(["POST 403", "POST 403", "POST 403"]);
    expect((await orch.get("/v1/freezes")).body.freezes).toEqual([]);
    await tab.page.getByRole("link", { name: "Servers" }).click();
    await tab.page.getByRole("heading", { level: 1, name: "Servers" }).waitFor();
    await tab.page.getByText("Live", { exact: true }).waitFor();
  });

  test("asks for the login when the server was killed and started again, and is then where it was, and live", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    tab.expectFaults(/Failed to load resource/);
    await openConsole(orch, page, "/scorecard?weeks=13");
    await untilQuiet(page);
    await orch.kill("SIGKILL");
    await page.getByText("Connection lost, trying again").waitFor();
    await page.getByRole("heading", { level: 1, name: "Scorecard" }).waitFor();
    orch = await start();
    await page.getByLabel("Token").waitFor();
    await logInByForm(page);
    await page.getByRole("heading", { level: 1, name: "Scorecard" }).waitFor();
    expect(page.url()).toBe(`${orch.url}/console/scorecard?weeks=13`);
    await page.getByText("Live", { exact: true }).waitFor();
    await orch.post("/v1/freezes", { reason: "seen without loading the page anew" });
    await page.getByText("seen without loading the page anew").waitFor();
  });
});
