// How the pages of tasks look, and a long list of them, in a real browser: takes longer, and runs every night.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults, browser, DESK, openConsole, PHONE, shot, untilQuiet } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
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

describe.skipIf(chromium.is_missing)("tasks in the console", () => {
  test("are a transcript where an agent runs, with what was refused in its place, which can become a procedure", async () => {
    await house.anAgent("agent");
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(house.orch, page, "/tasks/agent?tab=agent");
    await page.locator("#c1").getByText("Refused").waitFor();
    await page.getByText("3 of 30").waitFor();
    await page.locator("#c2").getByText("made it", { exact: true }).waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Make a procedure of it" }).click();
    await page.getByRole("link", { name: "Read and teach it" }).waitFor();
  });

  test("are a list that holds only the rows in view, reads older ones as they come near, and shows a new task by itself", async () => {
    for (let at = 0; at < 230; at += 1)
      await house.orch.post(
        "/v1/tasks",
        contractBody({ task_id: `many-${at}`, delegation_mode: "known_only", target: { service: "none" } }),
      );
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(house.orch, page, "/tasks?q=many-");
    await page.getByText("100 read; older ones follow as you scroll").waitFor();
    for (let pages = 0; pages < 40 && !(await page.getByText("many-0", { exact: true }).isVisible()); pages += 1) {
      await page.mouse.wheel(0, 1_500);
      await sleep(50);
    }
    await page.getByText("230 in all").waitFor();
    expect(await page.locator(".task-row").count()).toBeLessThan(60);
    await page.keyboard.press("Home");
    await house.orch.post(
      "/v1/tasks",
      contractBody({ task_id: "many-new", delegation_mode: "known_only", target: { service: "none" } }),
    );
    await page.getByText("many-new").waitFor();
    await page.getByText("231 in all").waitFor();
  });
});

describe.skipIf(chromium.is_missing)("every page of tasks", () => {
  beforeAll(async () => {
    await house.aTask("axe", [{ kind: "cmd", value: "seq 30; exit 4" }, GREEN], "failed");
    await house.anAgent("axe-agent");
  });

  test.each([
    [DESK, "light"],
    [PHONE, "dark"],
  ] as const)("has no serious fault of accessibility at %i px in %s, and fits its width", async (width, scheme) => {
    await using tab = await chromium.open({ width, scheme });
    const { page } = tab;
    await openConsole(house.orch, page, "/tasks");
    const of = ["/tasks/axe", "/tasks/axe?tab=graph", "/tasks/axe?tab=journal", "/tasks/axe-agent?tab=agent"];
    const paths = ["/tasks", ...of, "/graph"];
    for (const path of paths) {
      await page.goto(`${house.orch.url}/console${path}`);
      await untilQuiet(page);
      await sleep(200);
      expect(await accessibilityFaults(page), path).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
      await shot(page, `${path.replace(/\W+/g, "-")}-${width}-${scheme}`);
    }
  });
});
