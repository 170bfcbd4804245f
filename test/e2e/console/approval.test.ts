// The page of an approval in a real browser, on the real server [4.approve].
import { access } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browser, logInByForm, openConsole, PHONE, type Tab } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { type OrchProcess, startOrchProcess, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";

const chromium = browser();
const APPROVER = "an-approver-token-for-tests-that-is-long-0123456789";
const place = await temporaryDirectory();
let orch: OrchProcess;

beforeAll(async () => {
  if (!chromium.is_missing) orch = await startOrchProcess({ data_dir: place.path });
});
afterAll(async () => {
  await chromium.close();
  if (!chromium.is_missing) await orch.kill("SIGTERM");
  await place[Symbol.asyncDispose]();
});

const untilStatus = async ({ get }: OrchProcess, task_id: string, status: string) => {
  for (let n = 0; n < 400; n++) {
    const { body } = await get(`/v1/tasks/${task_id}`);
    if (body.status === status) return body;
    await sleep(50);
  }
  throw new Error(`${task_id} does not become ${status}`);
};

const LAST_STEP = { kind: "check", value: "test -d /" };

/** A task whose plan waits for a yes, with more steps than a phone shows at once. Resolves with its approval. */
async function aPlanToApprove(server: OrchProcess, task_id: string, first = `touch ${join(place.path, task_id)}`) {
  const target = { service: task_id, host: "nas" };
  await server.post("/v1/tasks", contractBody({ task_id, intent: "restart", target, success_criteria: [] }));
  await untilStatus(server, task_id, "need_input");
  const steps = [{ kind: "cmd", value: first }, ...Array.from({ length: 5 }, () => LAST_STEP)];
  const taught = await server.post("/v1/teach", { task_id, steps, safety_level: "approval_required" });
  expect(taught.status, JSON.stringify(taught.body)).toBe(200);
  await untilStatus(server, task_id, "need_approval");
  const { body } = await server.get(`/v1/approvals?thread_id=${task_id}`);
  return body.approvals[0];
}

const decision = (page: Page) => page.locator(".decision");
const scrollToEnd = async (page: Page) => {
  for (let n = 0; n < 200 && !(await decision(page).getByText("You have seen all of it.").isVisible()); n++) {
    await page.keyboard.press("PageDown");
    await sleep(50);
  }
};
const askToApprove = async ({ page }: Tab) => {
  await scrollToEnd(page);
  await page.keyboard.press("a");
  await page.getByRole("dialog").waitFor();
};
const sayYes = ({ page }: Tab) => page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();

describe.skipIf(chromium.is_missing)("an approval in the console", () => {
  test("is found and approved on a phone by the keyboard alone, and the task runs to its end", async () => {
    const { approval_id } = await aPlanToApprove(orch, "by-keys");
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page);
    await page.getByText("Approve a run").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Run restart?" }).waitFor();
    await expect.poll(() => decision(page).getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
    await page.keyboard.press("a");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await askToApprove(tab);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await decision(page).getByText("It is approved.").waitFor();
    const done = await untilStatus(orch, "by-keys", "ok");
    expect(done.outcome.reason_code).toBe("verified");
    await access(join(place.path, "by-keys"));
    const { body } = await orch.get(`/v1/approvals/${approval_id}`);
    expect(body.approval.decision).toMatchObject({ decision: "approve", decided_by: "ada" });
  });

  test("is decided once by two tabs at the same moment, and the other tab shows the decision", async () => {
    const { approval_id } = await aPlanToApprove(orch, "twice");
    await using one = await chromium.open();
    await using other = await chromium.open();
    for (const tab of [one, other]) {
      tab.expectFaults(/409/);
      await openConsole(orch, tab.page, `/approvals/${approval_id}`);
      await askToApprove(tab);
    }
    await Promise.all([sayYes(one), sayYes(other)]);
    for (const { page } of [one, other]) await decision(page).getByText("It is approved.").waitFor();
    await untilStatus(orch, "twice", "ok");
    const { body } = await orch.get("/v1/tasks/twice/journal?limit=500");
    expect(body.events.filter(({ kind }: { kind: string }) => kind === "approval_decided")).toHaveLength(1);
  });

  test("is refused when what was shown is not what waits, and says so", async () => {
    const { approval_id } = await aPlanToApprove(orch, "stale");
    await using tab = await chromium.open();
    tab.expectFaults(/409/);
    await tab.page.route("**/v1/approve", (route) => {
      const sent = route.request().postDataJSON();
      return route.continue({ postData: JSON.stringify({ ...sent, digest: "0".repeat(64) }) });
    });
    await openConsole(orch, tab.page, `/approvals/${approval_id}`);
    await askToApprove(tab);
    await sayYes(tab);
    const alert = tab.page.getByRole("dialog").getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toContain("digest");
    expect((await orch.get("/v1/tasks/stale")).body.status).toBe("need_approval");
  });

  test("is rejected with a reason, and not without one", async () => {
    const { approval_id } = await aPlanToApprove(orch, "no");
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, `/approvals/${approval_id}`);
    await page.getByRole("heading", { name: "Run restart?" }).waitFor();
    await page.keyboard.press("r");
    const reject = page.getByRole("dialog").getByRole("button", { name: "Reject" });
    expect(await reject.isDisabled()).toBe(true);
    await page.getByLabel("Reason").fill("not on a Friday");
    await reject.click();
    await decision(page).getByText("not on a Friday").waitFor();
    const { outcome } = await untilStatus(orch, "no", "blocked");
    expect(outcome.message).toContain("not on a Friday");
  });

  test.each([PHONE, 1400])(
    "with a step that is taller than the window is open to a yes after its last line only, at %d px",
    async (width) => {
      const long = `: ${"a line of the script to be read\n: ".repeat(390)}end`;
      const { approval_id } = await aPlanToApprove(orch, `long-${width}`, long);
      await using tab = await chromium.open({ width });
      await openConsole(orch, tab.page, `/approvals/${approval_id}`);
      await tab.page.getByRole("heading", { name: "Run restart?" }).waitFor();
      await tab.page.keyboard.press("End");
      await sleep(300);
      expect(await decision(tab.page).getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
      await tab.page.keyboard.press("Home");
      await expect.poll(() => tab.page.evaluate("scrollY")).toBe(0);
      await scrollToEnd(tab.page);
      expect(await decision(tab.page).getByRole("button", { name: "Approve" }).isEnabled()).toBe(true);
    },
  );

  test("is open in two tabs of one browser, by one login", async () => {
    const { approval_id } = await aPlanToApprove(orch, "two-tabs");
    await using tab = await chromium.open();
    await openConsole(orch, tab.page);
    const other = await tab.page.context().newPage();
    await other.goto(`${orch.url}/console/approvals/${approval_id}`);
    await other.getByRole("heading", { name: "Run restart?" }).waitFor();
    await tab.page.reload();
    await tab.page.getByRole("heading", { name: "Inbox" }).waitFor();
  });

  test("shows hostile text as text: markup, escapes and marks of direction", async () => {
    const hostile = "printf '%s' '</script><img src=x onerror=alert(1)>\u202e\u001b[2J'";
    const { approval_id } = await aPlanToApprove(orch, "hostile", hostile);
    await using tab = await chromium.open();
    await openConsole(orch, tab.page, `/approvals/${approval_id}`);
    const shown = await tab.page.getByRole("group", { name: "Step 0" }).textContent();
    expect(shown).toContain("</script><img src=x onerror=alert(1)>\\u{202e}\\x1b[2J");
    expect(await tab.page.locator("article img").count()).toBe(0);
  });
});

test.skipIf(chromium.is_missing)("a decision asks for the approver token where the service has one", async () => {
  await using directory = await temporaryDirectory();
  const server = await startOrchProcess({ data_dir: directory.path, env: { ORCH_APPROVER_TOKEN: APPROVER } });
  try {
    const { approval_id } = await aPlanToApprove(server, "guarded");
    await using tab = await chromium.open();
    tab.expectFaults(/401/);
    await tab.page.goto(`${server.url}/console/approvals/${approval_id}`);
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
    await untilStatus(server, "guarded", "ok");
  } finally {
    await server.kill("SIGTERM");
  }
});
