// The pages of tasks in a real browser, on the real server: the list, the run with its live output, the way, the journal.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browser, layoutShift, openConsole, PHONE } from "../../support/browser.ts";
import { GREEN, openTaskHouse, type TaskHouse } from "../../support/task-house.ts";

const chromium = browser();
let house: TaskHouse;

beforeAll(async () => {
  if (!chromium.is_missing) house = await openTaskHouse();
});
afterAll(async () => {
  await chromium.close();
  if (!chromium.is_missing) await house[Symbol.asyncDispose]();
});

const openTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

describe.skipIf(chromium.is_missing)("a task in the console", () => {
  test("shows what its running step writes as it is written, and nothing on the page moves", async () => {
    const until = join(house.work, "go");
    const steps = [
      { kind: "cmd", value: `for i in $(seq 500); do echo "line $i"; test -e ${until} && exit 0; sleep 0.1; done` },
      GREEN,
    ];
    await house.aTask("live", steps, "running");
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(house.orch, page, "/tasks/live");
    const log = page.getByRole("log");
    await log.getByText("line 3", { exact: true }).waitFor();
    await layoutShift(page);
    await log.getByText("line 12", { exact: true }).waitFor();
    const { total, moved } = await layoutShift(page);
    expect(total, moved.join("\n")).toBeLessThan(0.01);
    await openTab(page, "Way");
    await page.locator('.graph-node[data-state="current"]', { hasText: "run_steps" }).waitFor();
    await openTab(page, "Run");
    await house.orch.post("/v1/tasks/live/cancel", { reason: "seen" });
    await page.getByText("The supervisor cancelled the task").waitFor();
    await openTab(page, "Way");
    await page.locator('.graph-node[data-state="passed"]', { hasText: "cancelled" }).waitFor();
  });

  test("does not move what is in view when its journal arrives late", async () => {
    await house.aTask("late", [{ kind: "cmd", value: "echo fine" }, { kind: "cmd", value: "exit 4" }, GREEN], "failed");
    await using tab = await chromium.open();
    const { page } = tab;
    await page.route(/journal\/stream/, async (route) => {
      await sleep(1_000);
      await route.continue();
    });
    await openConsole(house.orch, page, "/tasks/late");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await layoutShift(page);
    await page.getByRole("region", { name: "What took the time" }).waitFor();
    const { total, moved } = await layoutShift(page);
    expect(total, moved.join("\n")).toBeLessThan(0.01);
  });

  test("opens the first step that failed, and a line of its output is a link", async () => {
    const failing = { kind: "cmd", value: "seq 30; echo 'it broke here' >&2; exit 4" };
    await house.aTask("broken", [{ kind: "cmd", value: "echo fine" }, failing, GREEN], "failed");
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(house.orch, page, "/tasks/broken");
    await page.getByText("it broke here", { exact: true }).waitFor();
    await page.getByRole("button", { name: "First failure: step 1" }).click();
    await page.locator("#s1-out-17").getByRole("link").click();
    expect(new URL(page.url()).hash).toBe("#s1-out-17");
    await page.reload();
    await page.locator('#s1-out-17[data-linked="true"]').waitFor();
    await page.getByRole("button", { name: "As a command" }).click();
    await page.getByRole("menuitem", { name: "orch evidence broken" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("orch evidence broken --out broken.json");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the evidence" }).click(),
    ]);
    expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({
      task_id: "broken",
      status: "failed",
    });
  });

  test("shows 5 MB of hostile output as text, within a bound, and stays quick", async () => {
    const line = String.raw`\u001b[31mred \u001b]0;owned\u0007 </script><img src=x onerror=alert(1)> \u202egnp.exe https://evil.example`;
    const code = `for (let i = 0; i < 40000; i++) console.log(i + " ${line}" + "x".repeat(40)); console.log("y".repeat(300000))`;
    await house.aTask("hostile", [{ kind: "cmd", value: `node -e '${code}'` }, GREEN]);
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(house.orch, page, "/tasks/hostile");
    const begun = performance.now();
    await page.getByRole("button", { name: /^0 node/ }).click();
    const output = page.getByRole("region", { name: "Output (stdout)" });
    await output
      .getByText("0 \\x1b[31mred \\x1b]0;owned\\x07 </script><img src=x onerror=alert(1)> \\u{202e}gnp.exe")
      .first()
      .waitFor();
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await output.locator(".output-line").count()).toBeLessThanOrEqual(400);
    expect(await output.locator("img, script").count()).toBe(0);
    expect(await output.locator('a:not([href^="#"])').count()).toBe(0);
    expect(await page.getByText("bytes left out").count()).toBeGreaterThan(0);
  });

  test("takes what a person has seen of its result, and refuses an empty source at its field", async () => {
    await house.aTask("seen", [{ kind: "cmd", value: "echo x" }, GREEN]);
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(house.orch, page, "/tasks/seen");
    await page.getByRole("button", { name: "Record what you saw" }).click();
    expect(await page.getByRole("button", { name: "The result is there" }).isDisabled()).toBe(true);
    await page.getByLabel("Where you looked").fill("the dashboard");
    await page.getByRole("button", { name: "The result is there" }).click();
    await page.getByText("It is there").waitFor();
    expect((await house.orch.get("/v1/tasks/seen")).body.verification).toMatchObject({
      verified: true,
      source: "the dashboard",
    });
  });
});

describe.skipIf(chromium.is_missing)("the list of tasks in the console", () => {
  test("is narrowed by its address, and moved in by the keyboard", async () => {
    await house.aTask("list-one", [GREEN]);
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(house.orch, page, "/tasks");
    await page.keyboard.press("/");
    await page.keyboard.type("list-o");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=list-o");
    await page.getByText("1 in all").waitFor();
    await page.getByLabel("Status").selectOption("failed");
    await page.getByText("No task is like that").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText("list-one").first().waitFor();
    const field = page.getByLabel("Id, intent or target");
    await field.fill("list-o");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=list-o");
    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    await expect.poll(() => field.inputValue()).toBe("");
    await page.waitForTimeout(400);
    expect(new URL(page.url()).search).toBe("");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Run" }).waitFor();
  });
});
