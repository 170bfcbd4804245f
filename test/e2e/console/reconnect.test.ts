// A server is killed in the middle of a step while a tab watches, and another one is started in its place: the tab comes back by itself,
// where it was, and has every event of the journal, each once.
import { afterAll, expect, test } from "vitest";
import { browser, logInByForm, openConsole } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { freePort } from "../../support/free-port.ts";
import { startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const chromium = browser();
const left = new AsyncDisposableStack();
afterAll(() => left.disposeAsync());

test.skipIf(chromium.is_missing)(
  "a tab that watched a server die shows all that the next one has recorded",
  async () => {
    const { path: data_dir } = left.use(await temporaryDirectory());
    const start = { data_dir, env: { ORCH_PORT: String(await freePort()) } };
    left.defer(chromium.close);
    const first = await startOrchProcess(start);
    left.defer(async () => void (await first.kill("SIGKILL")));
    const { page, expectFaults } = await chromium.open();
    expectFaults(/ERR_|Failed to load resource|network error/i);
    await first.post("/v1/tasks", { ...contractBody({ task_id: "watched", success_criteria: [] }), wait_seconds: 20 });
    const steps = [
      { kind: "cmd", value: "echo before" },
      { kind: "wait", value: "3s" },
      { kind: "check", value: "test -d /" },
    ];
    await first.post("/v1/teach", { task_id: "watched", steps });
    await openConsole(first, page, "/tasks/watched?tab=journal");
    await page.locator(".journal-row", { hasText: "step_started" }).nth(1).waitFor();
    const tabs_before = page.context().pages().length;

    await first.kill("SIGKILL");
    await page.getByText("Connection lost, trying again").waitFor();
    const second = await startOrchProcess(start);
    left.defer(async () => void (await second.kill("SIGTERM")));
    // Sessions end with their server; the page that asks for the next one is the page that was left.
    await Promise.race([page.getByLabel("Token").waitFor(), page.locator(".live[data-state=live]").waitFor()]);
    if (await page.getByLabel("Token").isVisible()) await logInByForm(page);
    await page.getByText("Done", { exact: true }).waitFor();

    const { body } = await second.get("/v1/tasks/watched/journal?limit=500");
    const recorded = body.events.map(({ seq }: { seq: number }) => `e${seq}`);
    const shown = () => page.locator(".journal > li").evaluateAll((rows) => rows.map(({ id }) => id));
    await expect.poll(shown, { timeout: 5_000 }).toEqual(recorded);
    expect(recorded.length).toBeGreaterThan(10);
    expect(page.url()).toBe(`${second.url}/console/tasks/watched?tab=journal`);
    expect(page.context().pages()).toHaveLength(tabs_before);
  },
);
