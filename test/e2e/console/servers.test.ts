// The page of the servers in a real browser: why a task waits, a freeze with its reason, schedules, and a drain, each of them on the
// real server, and what needs the right to approve by a human who has that token.
import { once } from "node:events";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browser, logInByForm, openConsole, PHONE, shownText, untilQuiet } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { type OrchProcess, startOrchProcess, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { aPlanToApprove, askToApprove, decision, sayYes, untilStatus } from "./plan-to-approve.ts";

const APPROVER = "another-token-for-tests-that-is-long-enough-987";
const chromium = browser();

describe.skipIf(chromium.is_missing)("the page of the servers", () => {
  const left = new AsyncDisposableStack();
  let orch: OrchProcess;

  beforeAll(async () => {
    const { path: data_dir } = left.use(await temporaryDirectory());
    const env = { ORCH_SERVER_NAME: "lab", ORCH_LABELS: "nas", ORCH_APPROVER_TOKEN: APPROVER };
    orch = await startOrchProcess({ data_dir, env });
    left.defer(() => void orch.child.kill("SIGKILL"));
    left.defer(chromium.close);
  });
  afterAll(() => left.disposeAsync());

  const submit = (task_id: string, over: object = {}) =>
    orch.post("/v1/tasks", { ...contractBody({ task_id, target: { service: "web" }, success_criteria: [] }), ...over });
  const giveToken = async (page: Page) => {
    await page.getByLabel("Approver token").fill(APPROVER);
    await page.getByRole("button", { name: "Go on" }).click();
  };

  test("shows each server with its labels, and of each task that waits why it does", async () => {
    await submit("first", { wait_seconds: 20 });
    const steps = [
      { kind: "wait", value: "90s" },
      { kind: "check", value: "test -d /" },
    ];
    expect(await orch.post("/v1/teach", { task_id: "first", steps })).toMatchObject({ status: 200 });
    await submit("second");
    await submit("third", { target: { service: "gpu" }, runs_on: ["gpu"] });
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/servers");
    await untilQuiet(page);
    const card = page.getByRole("listitem", { name: "lab" });
    await expect.poll(() => shownText(card)).toMatch(/Alive.*1 task of \d+ at once.*renewed \d+ s ago.*nas/s);
    const waiting = page.getByRole("list", { name: "Tasks that wait to start" });
    await expect.poll(() => shownText(waiting)).toMatch(/second\s+its target is held by first/);
    expect(await shownText(waiting)).toMatch(/third\s+no live server has the label gpu/);
    await orch.post("/v1/tasks/first/cancel", {});
    await orch.post("/v1/tasks/second/cancel", {});
    await orch.post("/v1/tasks/third/cancel", {});
    await page.getByText("No task waits to start.").waitFor();
  });

  test("freezes with a reason that every waiting task shows, by who may, on a phone, and thaws", async () => {
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page, "/servers");
    await page.getByRole("button", { name: "Freeze …" }).click();
    await giveToken(page);
    await page.getByLabel("Reason").fill("the disk is replaced");
    await page.getByLabel("Only targets with").fill("service=web");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing runs.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("Frozen: every task on service=web, but not diagnostics").waitFor();
    await submit("held", { delegation_mode: "known_only" });
    await page.getByText(/^Held by freeze-[0-9a-f]{8}: the disk is replaced\.$/).waitFor();
    await page.getByRole("button", { name: "Thaw" }).click();
    await page.getByRole("button", { name: "Thaw it" }).click();
    await page.getByText("No task waits to start.").waitFor();
    await page.getByText("Freezes that were thawed (1)").waitFor();
    expect((await orch.get("/v1/tasks/held?wait_seconds=20")).body.status).toBe("blocked");
  });

  test("pauses, resumes and removes a schedule", async () => {
    const { task_id: _id, requested_at: _at, ...contract } = contractBody({ success_criteria: [] });
    await orch.post("/v1/schedules", { name: "web-nightly", cron: "0 3 * * *", timezone: "Europe/Berlin", contract });
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/servers");
    const row = page.getByRole("listitem", { name: "web-nightly" });
    await row.getByText("0 3 * * * (Europe/Berlin)").waitFor();
    await row.getByRole("button", { name: "Pause" }).click();
    await row.getByText("Paused").waitFor();
    await row.getByRole("button", { name: "Resume" }).click();
    await row.getByText("Active").waitFor();
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("orch submits nothing by itself").waitFor();
    expect((await orch.get("/v1/schedules")).body.schedules).toEqual([]);
  });

  test("leads to an approval, whose decision asks for the approver token", async () => {
    const { approval_id } = await aPlanToApprove(orch, "guarded");
    await using tab = await chromium.open();
    tab.expectFaults(/401/);
    await tab.page.goto(`${orch.url}/console/approvals/${approval_id}`);
    await logInByForm(tab.page, TOKEN);
    await askToApprove(tab);
    const field = tab.page.getByLabel("Approver token");
    await field.fill(TOKEN);
    await field.press("Enter");
    await tab.page.getByRole("dialog").getByRole("alert").waitFor();
    await field.fill(APPROVER);
    await field.press("Enter");
    await sayYes(tab);
    await decision(tab.page).getByText("It is approved.").waitFor();
    await untilStatus(orch, "guarded", "ok");
  });

  test("drains a server after a question that says that it is the only one, and the server ends", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    tab.expectFaults(/Failed to load resource/);
    await openConsole(orch, page, "/servers");
    await page.getByRole("button", { name: "Drain" }).click();
    await giveToken(page);
    await page.getByText("It is the only live server").waitFor();
    const ended = once(orch.child, "exit");
    await page.getByRole("button", { name: "Drain it" }).click();
    expect(await ended).toEqual([0, null]);
    await page.getByText("Connection lost, trying again").waitFor();
  });
});
