// All rules of WCAG 2 on level A and AA, and what axe calls serious beside them: of every page in the dark, and of every open dialog and
// menu in both schemes. In light, every page is looked at with the others of its kind (pages.test.ts).
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults, browser, DESK, openConsole, PHONE, untilQuiet } from "../../support/browser.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { addressesOf, type Ids, inUse } from "./addresses.ts";

const chromium = browser();
const press = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();
const choose = (button: string, item: string) => async (page: Page) => {
  await press(button)(page);
  await page.getByText(item).click();
};
const scrollAndApprove = async (page: Page) => {
  const seen = page.getByText("You have seen all of it.");
  for (let n = 0; n < 100 && !(await seen.isVisible()); n++) {
    await page.keyboard.press("PageDown");
    await sleep(50);
  }
  await page.keyboard.press("a");
};

/** What opens over a page, by the address of the page. */
const OPENED: readonly (readonly [what: string, address: (ids: Ids) => string, open: (page: Page) => Promise<void>])[] =
  [
    ["the keys", () => "/", (page) => page.keyboard.press("?")],
    ["a rejection", ({ approval_id }) => `/approvals/${approval_id}`, (page) => page.keyboard.press("r")],
    ["a yes", ({ approval_id }) => `/approvals/${approval_id}`, scrollAndApprove],
    ["a copy", ({ sop_id }) => `/sops/${sop_id}`, choose("More actions", "Copy to another target")],
    ["a menu", ({ sop_id }) => `/sops/${sop_id}`, press("More actions")],
    ["an import", () => "/sops", press("Import")],
    ["a cancellation", ({ untaught_id }) => `/tasks/${untaught_id}`, press("Cancel")],
    ["a verification", ({ task_id }) => `/tasks/${task_id}`, press("Record what you saw")],
    ["a freeze", () => "/servers", press("Freeze …")],
    ["a thaw", () => "/servers", press("Thaw")],
    ["a removal", () => "/servers", press("Remove")],
    ["a drain", () => "/servers", press("Drain")],
  ];

describe.skipIf(chromium.is_missing)("the console for everyone", () => {
  let orch: OrchProcess;
  let ids: Ids;
  const left = new AsyncDisposableStack();

  beforeAll(async () => {
    const { path: data_dir } = left.use(await temporaryDirectory());
    orch = await startOrchProcess({ data_dir });
    left.defer(async () => void (await orch.kill("SIGTERM")));
    left.defer(chromium.close);
    ids = await inUse(orch);
  });
  afterAll(() => left.disposeAsync());

  test("has no fault by any rule in the dark, on a phone and a desk", async () => {
    await using tab = await chromium.open({ scheme: "dark" });
    const { page } = tab;
    await openConsole(orch, page);
    const found: string[] = [];
    for (const address of addressesOf(ids)) {
      await page.goto(`${orch.url}/console${address}`);
      await untilQuiet(page);
      for (const width of [PHONE, DESK]) {
        await page.setViewportSize({ width, height: 900 });
        found.push(...(await accessibilityFaults(page)).map((fault) => `${address} at ${width} px: ${fault}`));
      }
    }
    expect(found).toEqual([]);
  });

  test("has no fault by any rule in what opens over a page, in light and dark", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page);
    const found: string[] = [];
    for (const [what, address, open] of OPENED) {
      await page.goto(`${orch.url}/console${address(ids)}`);
      await untilQuiet(page);
      await open(page);
      await page.locator("[role=dialog], [role=menu]").first().waitFor();
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        found.push(...(await accessibilityFaults(page)).map((fault) => `${what}, ${scheme}: ${fault}`));
      }
    }
    expect(found).toEqual([]);
  });
});
