// The scorecard in a real browser, over eight weeks whose numbers are computed by hand here [8.target.T1].
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browser, layoutShift, openConsole, PHONE, shownText, untilQuiet } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { keepScores, type PastProcedure, pastScores } from "../../support/filled-scorecard.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const chromium = browser();

const EACH_WEEK = { intent: "deploy", cohort: "known", fails: 0, refuted: 0, asks: 0, unverified: 0 } as const;
/** 80 done and true; 80 done of which two each week are false; 40 taught and true, of which one each week is stored. */
const PAST: readonly PastProcedure[] = [
  { ...EACH_WEEK, target_signature: "service=good", sop_id: "sop-good", tasks: 10 },
  { ...EACH_WEEK, target_signature: "service=bad", sop_id: "sop-bad", tasks: 10, refuted: 5 },
  { ...EACH_WEEK, target_signature: "service=new", sop_id: null, tasks: 5, cohort: "teach" },
];

const ANCHORED = { day: "2026-03-06", threads: 2, root: "a1".repeat(32), previous: null };

describe.skipIf(chromium.is_missing)("the page of the scorecard", () => {
  const left = new AsyncDisposableStack();
  let orch: OrchProcess;

  beforeAll(async () => {
    const { path: data_dir } = left.use(await temporaryDirectory());
    await mkdir(join(data_dir, "state"));
    await keepScores(data_dir, pastScores(PAST, new Date(), 8), ANCHORED);
    orch = await startOrchProcess({ data_dir });
    left.defer(async () => void (await orch.kill("SIGTERM")));
    left.defer(chromium.close);
  });
  afterAll(() => left.disposeAsync());

  const card = (page: Page, id: string) => page.getByRole("listitem", { name: new RegExp(`^${id} `) });
  const textOf = async (page: Page, id: string) => (await shownText(card(page, id))).replaceAll(/\s+/g, " ");

  test("says of each target whether it is met, by which figure, how sure that is, and what to correct first", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/scorecard");
    await untilQuiet(page);
    expect(await textOf(page, "T1")).toMatch(
      /Missed 92 % wanted: at least 95 % 92 % to 92 % once everything was looked at/,
    );
    expect(await textOf(page, "T1")).toContain('16 deploy on "service=bad" v1 Teach a new version');
    expect(await card(page, "T1").getByRole("link").getAttribute("href")).toBe("/console/teach?sop_id=sop-bad");
    expect(await textOf(page, "T2")).toMatch(/Met 0 wanted: 0/);
    expect(await textOf(page, "T3")).toMatch(/Met 100 % .* likely 94 % to 100 %/);
    expect(await textOf(page, "T5")).toMatch(/Unproven 20 %/);
    const { body } = await orch.get("/v1/scorecard");
    for (const { id, state } of body.targets) expect((await textOf(page, id)).toLowerCase()).toContain(state);
    await page.getByText("1 target missed. Correct the procedures named below").waitFor();
  });

  test("draws the weeks in the colours of the scheme, and has the same numbers as a table", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/scorecard");
    const drawing = page.locator("canvas");
    await drawing.waitFor();
    const drawn = () => page.evaluate<string>("document.querySelector('canvas').toDataURL()");
    const light = await drawn();
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(drawn).not.toBe(light);
    await page.getByText("The weeks as a table").click();
    const rows = page.locator(".trend-table tbody tr");
    expect(await rows.count()).toBe(8);
    expect((await shownText(rows.last())).split(/\s*\t\s*/).slice(1)).toEqual([
      "25",
      "23",
      "2",
      "92 %",
      "92 %",
      "78 % to 97 %",
    ]);
  });

  test("keeps the groups apart, lists what costs most first, and leads to what was never looked at", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/scorecard");
    const cells = async (table: string, row: number) =>
      (await shownText(page.getByRole("table", { name: table }).getByRole("row").nth(row))).split(/\s*\t\s*/);
    await page.getByRole("table", { name: "What costs most" }).waitFor();
    expect((await cells("Groups", 1)).slice(0, 5)).toEqual(["All tasks", "200", "200", "184", "16"]);
    expect((await cells("Groups", 2)).slice(0, 5)).toEqual(["To be taught", "40", "40", "40", "0"]);
    expect((await cells("What costs most", 1)).slice(0, 5)).toEqual([
      'deploy on "service=bad" v1',
      "80",
      "80",
      "64",
      "16",
    ]);
    await page.getByRole("button", { name: "Target" }).click();
    await expect.poll(async () => (await cells("What costs most", 1))[0]).toBe("service=bad");
    expect(new URL(page.url()).search).toBe("?by=target");
  });

  test("has its filters in its address, and says what to do where nothing was counted", async () => {
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page, "/scorecard");
    await page.getByLabel("Weeks").selectOption("4");
    await expect.poll(() => textOf(page, "T1")).toContain("92 of 100 DONE verified");
    await page.getByRole("link", { name: "To be taught" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?weeks=4&group=teach");
    await page.reload();
    await expect.poll(() => textOf(page, "T1")).toContain("20 of 20 DONE verified");
    await page.getByRole("combobox", { name: "Group" }).selectOption("agent");
    await page.getByRole("heading", { name: "No task of this group has ended in these weeks" }).waitFor();
  });

  test("has the newest root as a line of the file of roots, which fits on a phone", async () => {
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page, "/scorecard");
    const line = page.getByText(`${ANCHORED.day} ${ANCHORED.root}`);
    await line.waitFor();
    expect(await shownText(line.locator("xpath=.."))).toMatch(
      /^2 journals anchored\. Kept elsewhere, this root proves/,
    );
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(PHONE);
  });

  test("counts a task while it is open, and nothing in it moves", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/scorecard");
    await page.getByRole("table", { name: "What costs most" }).waitFor();
    await page.locator("canvas").waitFor();
    await layoutShift(page);
    await orch.post("/v1/tasks", { ...contractBody({ task_id: "now-1", success_criteria: [] }), wait_seconds: 20 });
    const steps = [
      { kind: "cmd", value: "true" },
      { kind: "check", value: "test -d /" },
    ];
    const taught = await orch.post("/v1/teach", { task_id: "now-1", steps, wait_seconds: 20 });
    expect(taught.body).toMatchObject({ task: { status: "ok" } });
    await page.getByText("184 of 201 DONE verified").waitFor();
    await page.getByRole("link", { name: "Look at them" }).waitFor();
    await orch.post("/v1/tasks/now-1/verification", { verified: true, source: "the page" });
    await page.getByText("185 of 201 DONE verified").waitFor();
    const { total, moved } = await layoutShift(page);
    expect(total, moved.join("; ")).toBeLessThan(0.02);
    await page.goto(`${orch.url}/console/tasks?status=ok&verified=true`);
    await page.getByText("now-1").first().waitFor();
    await page.goto(`${orch.url}/console/tasks?status=ok&verified=none`);
    await page.getByText("never looked at from outside").waitFor();
    expect(await page.getByText("now-1").count()).toBe(0);
  });
});
