// What an operator does in the console, in a real browser on the real server: sees what a server lacks, moves by keys alone, stops a
// task, and is named for it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browser, openConsole, PHONE, shownText, untilQuiet } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { startSdkServer } from "../../support/tool-server.ts";

const chromium = browser();
const GREEN = { kind: "check", value: "test -d /" };
const LONG_ID = `a-task-with-a-long-id-${"x".repeat(60)}`;

describe.skipIf(chromium.is_missing)("an operator at the console", () => {
  const left = new AsyncDisposableStack();
  let orch: OrchProcess;

  beforeAll(async () => {
    const { path: data_dir } = left.use(await temporaryDirectory());
    const tools = left.use(await startSdkServer());
    const env = {
      MCP_NOTES_URL: tools.url,
      MCP_NOTES_TOKEN: "a-token-of-notes-that-is-long-enough",
      ROUTING_MODEL: "tiny",
      ROUTING_URL: "http://127.0.0.1:9",
    };
    orch = await startOrchProcess({ data_dir, env });
    left.defer(async () => void (await orch.kill("SIGTERM")));
    left.defer(chromium.close);
    const target = { service: "web" };
    await orch.post("/v1/tasks", {
      ...contractBody({ task_id: "web-1", target, success_criteria: [] }),
      wait_seconds: 20,
    });
    const steps = [{ kind: "cmd", value: "sleep 60" }, GREEN];
    await orch.post("/v1/teach", { task_id: "web-1", steps });
    const mail = { ...contractBody({ task_id: "mail-1", target: { service: "mail" }, success_criteria: [] }) };
    await orch.post("/v1/tasks", { ...mail, wait_seconds: 20 });
    await orch.post("/v1/teach", { task_id: "mail-1", steps: [GREEN], wait_seconds: 20 });
    const { task_id: _id, requested_at: _at, ...contract } = contractBody({ target, success_criteria: [] });
    for (const name of ["nightly", "weekly"]) await orch.post("/v1/schedules", { name, every: "1d", contract });
    await orch.post("/v1/tasks", {
      ...contractBody({ task_id: LONG_ID, target: { compose_dir: `/${"y".repeat(90)}` } }),
    });
  });
  afterAll(() => left.disposeAsync());

  const focused = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? ''");

  test("sees what the doctor found: a model that cannot be reached with its remedy, a tool server with its tools, the size of the database", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/servers");
    const models = page.getByRole("list", { name: "Models" });
    await models.getByText("routing model").waitFor();
    await expect
      .poll(() => shownText(models))
      .toMatch(/routing model\s+Broken\s+.*127\.0\.0\.1:9 cannot be reached.*\s+.*ollama serve/);
    const tools = page.getByRole("list", { name: "Tool servers" });
    await tools.getByText(/^\d+ tools?$/).click();
    expect(await shownText(tools)).toMatch(/notes\s+Works/);
    await page.getByText(/Its database has [\d.]+ [KM]iB/).waitFor();
    await page.getByText("Never backed up").waitFor();
    const first = await orch.get("/v1/diagnosis");
    const again = await orch.get("/v1/diagnosis");
    expect(again.body.checked_at).toBe(first.body.checked_at);
  });

  test("goes by keys to each page, through the rows of its lists, and into one", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/servers");
    await untilQuiet(page);
    await page.getByRole("listitem", { name: "nightly" }).waitFor();
    for (let row = 0; (await focused(page)) !== "weekly"; row++) {
      expect(row, "rows before the schedule").toBeLessThan(20);
      await page.keyboard.press("j");
    }
    await page.keyboard.press("k");
    expect(await focused(page)).toBe("nightly");
    for (const [key, title] of [
      ["p", "Pipeline"],
      ["n", "Teach"],
      ["t", "Tasks"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
    }
    await page.keyboard.press("?");
    expect(await shownText(page.getByRole("dialog"))).toMatch(/g\s*n\s+Teach a new procedure.*g\s*p\s+Pipeline/s);
    await page.keyboard.press("Escape");
    await page.goto(`${orch.url}/console/tasks/web-1?tab=journal`);
    await page.getByText("step_started").waitFor();
    await page.locator(".journal-row", { hasText: "accepted deploy, asked for by brain" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("task_acc");
    await page.getByText(/^1 of \d+ events$/).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByText('"requested_by": "brain"').waitFor();
  });

  test("stops a task and is named for it, and its step is shown as cancelled, not as a failure", async () => {
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page, "/tasks/web-1");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Reason (for the record)").fill("not today");
    await page.getByRole("button", { name: "Cancel the task" }).click();
    await page.getByText("Cancelled: not today (by ada)").waitFor();
    const steps = page.getByRole("region", { name: "Steps" });
    await expect.poll(() => shownText(steps)).toMatch(/sleep 60.*Cancelled.*test -d \/.*Not run/s);
    expect(await page.getByText("First failure").count()).toBe(0);
    expect(await steps.locator('[data-tone="bad"]').count()).toBe(0);
  });

  test("freezes by name, sees on every page what is frozen and where to end it, and one filter that is lit", async () => {
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page, "/servers");
    await page.getByRole("button", { name: "Freeze …" }).click();
    await page.getByLabel("Reason").fill("the disk is replaced");
    await page.getByLabel("Only targets with").fill("service=web");
    await page.getByRole("button", { name: "Freeze", exact: true }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await page.goto(`${orch.url}/console/sops?status=in_use`);
    const bar = page.locator(".frozen");
    await expect
      .poll(() => shownText(bar))
      .toMatch(/every task on service=web, but not diagnostics.*the disk is replaced, by ada/s);
    const lit = page.getByRole("navigation", { name: "By status" }).locator("[aria-current]");
    await lit.first().waitFor();
    expect(await lit.allInnerTexts()).toEqual([expect.stringMatching(/^In use/)]);
    await bar.getByRole("link").click();
    await page.getByRole("button", { name: "Thaw" }).waitFor();
    await page.goto(`${orch.url}/console/tasks/${LONG_ID}`);
    await untilQuiet(page);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(PHONE);
  });
});
