// The procedures in a real browser, on the real server: listed, compared, gone back to, copied, and taught [4.teach].
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults, browser, openConsole, PHONE, shot, untilQuiet } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const chromium = browser();
const place = await temporaryDirectory();
const TARGET = { service: "web" };
let orch: OrchProcess;
let first: string;

const steps = (value: string) => [
  { kind: "cmd", value: `printf %s ${value} > $ORCH_TARGET_SERVICE` },
  { kind: "check", value: `grep -q ${value} $ORCH_TARGET_SERVICE` },
];

const stored = async (body: object) => (await orch.post("/v1/teach", body)).body;

/** A version in use of deploy on the service, with these steps. */
async function inUse(service: string, value: string): Promise<string> {
  const { sop, approval_id } = await stored({ intent: "deploy", target: { service }, steps: steps(value) });
  const { status } = await orch.post("/v1/approve", { approval_id, decision: "approve", decided_by: "ada" });
  expect(status).toBe(200);
  for (let n = 0; n < 200; n++) {
    const { body } = await orch.get(`/v1/sops/${sop.sop_id}`);
    if (body.sop.status === "active") return sop.sop_id;
    await sleep(50);
  }
  throw new Error(`version ${sop.version} does not come into use`);
}

async function waits(task_id: string): Promise<void> {
  const contract = contractBody({
    task_id,
    intent: "triage",
    target: { host: task_id },
    success_criteria: ["it is there"],
  });
  const { body } = await orch.post("/v1/tasks", { ...contract, wait_seconds: 20 });
  expect(body.status).toBe("need_input");
}

beforeAll(async () => {
  if (chromium.is_missing) return;
  orch = await startOrchProcess({ data_dir: place.path });
  first = await inUse(TARGET.service, "one");
  await inUse(TARGET.service, "two");
  await inUse("mail", "one");
});
afterAll(async () => {
  await chromium.close();
  if (!chromium.is_missing) await orch.kill("SIGTERM");
  await place[Symbol.asyncDispose]();
});

const editor = (page: Page) => page.getByRole("textbox", { name: "The procedure as YAML" });
const write = async (page: Page, text: string) => {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
};
const said = (page: Page) => page.getByRole("complementary", { name: "What orch says of it" });
const TAUGHT = "steps:\n  - kind: check\n    value: test -d /etc\ncriteria:\n  it is there: 0\n";

describe.skipIf(chromium.is_missing)("the procedures in the console", () => {
  test("are filtered by keys alone, and what is shown is in the address", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/sops");
    await page.locator(".sop-row").nth(1).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("web");
    await page.waitForURL(/\?q=web/);
    expect(await page.locator(".sop-row").count()).toBe(1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "deploy version 2" }).waitFor();
  });

  test("show the difference of two versions, beside each other on a desk and in one column on a phone", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, `/sops/${first}?tab=compare`);
    await page.locator(".cm-mergeView .cm-changedLine").first().waitFor();
    await shot(page, "procedures-compare-desk");
    await page.setViewportSize({ width: PHONE, height: 844 });
    await page.locator(".cm-deletedChunk").first().waitFor();
    expect(await page.locator(".cm-mergeView").count()).toBe(0);
    await shot(page, "procedures-compare-phone");
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("are gone back to after a question, which leads to the approval and changes nothing by itself", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, `/sops/${first}`);
    await page.getByRole("button", { name: "Roll back to it" }).click();
    await page.getByRole("button", { name: "Ask for the rollback" }).click();
    await page.waitForURL(/\/approvals\//);
    const { body } = await orch.get(`/v1/sops/${first}`);
    expect(body.versions.map(({ version, status }: { version: number; status: string }) => [version, status])).toEqual([
      [3, "candidate"],
      [2, "active"],
      [1, "deprecated"],
    ]);
  });

  test("are copied to another target, and what the copy still names is said", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    const { body } = await orch.get("/v1/sops?status=active");
    const mail = body.sops.find(({ target }: { target: { service: string } }) => target.service === "mail");
    await openConsole(orch, page, `/sops/${mail.sop_id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByText("Copy to another target").click();
    await page.getByLabel("service").fill("post");
    await page.getByRole("button", { name: "Store the copy" }).click();
    await page.getByRole("link", { name: "Show the copy" }).click();
    await page.getByText("service=post").first().waitFor();
  });

  test("name each field of an imported file that is wrong, and keep the text", async () => {
    await using tab = await chromium.open();
    tab.expectFaults(/400/);
    const { page } = tab;
    await openConsole(orch, page, "/sops");
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByLabel("Text").fill("intent: deploy\nsteps: []\n");
    await page.getByRole("button", { name: "Store as a candidate" }).click();
    const refusal = page.getByRole("alert");
    await refusal.waitFor();
    expect(await refusal.textContent()).toContain("steps must have at least one step");
    expect(await page.getByLabel("Text").inputValue()).toContain("intent: deploy");
  });
});

describe.skipIf(chromium.is_missing)("teaching in the console", () => {
  test("marks a blocked step, a wrong field and a criterion without a check where they are written", async () => {
    await using tab = await chromium.open();
    tab.expectFaults(/400/);
    const { page } = tab;
    await waits("marks");
    await openConsole(orch, page, "/teach?task_id=marks");
    await write(
      page,
      "steps:\n  - kind: cmd\n    value: rm -rf /\n  - kind: check\n    value: test -d /etc\ncriteria: {}\n",
    );
    await said(page).getByText("rm.wide").waitFor();
    expect(await page.locator(".cm-lintRange-error").first().textContent()).toBe("rm -rf /");
    expect(await said(page).textContent()).toContain('success criterion "it is there" has no check step');
    await write(page, "steps:\n  - kind: wait\n    value: soon\n");
    await said(page).getByText("must be a duration").waitFor();
    expect(await page.locator(".cm-lintRange-error").allTextContents()).toContain("soon");
    await shot(page, "teach-marks");
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("loses nothing by a reload, leaves the editor by Escape and Tab, and shows where it went", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await waits("draft");
    await openConsole(orch, page, "/teach?task_id=draft");
    await write(page, `${TAUGHT}# mine\n`);
    await page.reload();
    await page.getByText("what you wrote in this tab before").waitFor();
    expect(await editor(page).textContent()).toContain("# mine");
    await said(page).getByText("Policy lets every step run").waitFor();
    await editor(page).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Taught" }).waitFor();
    await page.getByRole("link", { name: "Open the task" }).click();
    await page.waitForURL(/\/tasks\/draft/);
    expect((await orch.get("/v1/tasks/draft")).body.status).toBe("ok");
    await page.goto(`${orch.url}/console/teach?task_id=draft`);
    await untilQuiet(page);
    expect(await editor(page).textContent()).not.toContain("# mine");
  });

  test("keeps the text when the task waits no more, and offers to store it", async () => {
    await using tab = await chromium.open();
    tab.expectFaults(/409/);
    const { page } = tab;
    await waits("gone");
    await openConsole(orch, page, "/teach?task_id=gone");
    await page.route("**/v1/teach", async (route) => {
      await orch.post("/v1/tasks/gone/cancel", {});
      await route.continue();
    });
    await write(page, TAUGHT);
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    await page.getByText("does not wait to be taught").waitFor();
    await page.unroute("**/v1/teach");
    expect(await editor(page).textContent()).toContain("test -d /etc");
    await page.getByRole("button", { name: "Store as a candidate" }).click();
    await page.getByRole("heading", { name: "Stored as a candidate" }).waitFor();
  });

  test("changes a version: the text begins with its steps and is stored as a candidate", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, `/teach?sop_id=${first}`);
    await said(page).getByText("grep -q one web").waitFor();
    await page.getByRole("button", { name: "Store as a candidate" }).click();
    await page.getByRole("link", { name: "Review the approval" }).waitFor();
  });
});
