// The page of an approval in a real browser, on the real server [4.approve].
import { access } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browser, openConsole, PHONE } from "../../support/browser.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { aPlanToApprove, askToApprove, decision, sayYes, scrollToEnd, untilStatus } from "./plan-to-approve.ts";

const chromium = browser();
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

describe.skipIf(chromium.is_missing)("an approval in the console", () => {
  test("is found and approved on a phone by the keyboard alone, and the task runs to its end", async () => {
    const { approval_id } = await aPlanToApprove(orch, "by-keys", `touch ${join(place.path, "by-keys")}`);
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
      const long = `: ${"a line of the script to be read\n: ".repeat(200)}end`;
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
