// What holds for every page of the console, each in a real browser on a service in use: its policy lets in what it needs and nothing
// else, axe finds nothing serious, and it fits a phone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  accessibilityFaults,
  browser,
  DESK,
  logInByForm,
  openConsole,
  PHONE,
  shot,
  untilQuiet,
} from "../../support/browser.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { addressesOf, type Ids, inUse } from "./addresses.ts";

const chromium = browser();
/** What the scheme can change. */
const COLOURS = ["color-contrast"];
const SETTINGS = [
  { width: PHONE, scheme: "light" },
  { width: DESK, scheme: "light" },
  { width: DESK, scheme: "dark" },
] as const;

describe.skipIf(chromium.is_missing)("every page of the console", () => {
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

  test("violates no policy, has no serious fault of accessibility and is no wider than the window, on a phone, on a desk, and there in dark", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page);
    const found: string[] = [];
    for (const address of addressesOf(ids)) {
      await page.goto(`${orch.url}/console${address}`);
      await untilQuiet(page).catch((cause: unknown) => {
        throw new Error(`${address} shows no heading, or reads for ever`, { cause });
      });
      for (const { width, scheme } of SETTINGS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        const at = `${address} at ${width} px, ${scheme}`;
        const faults = await accessibilityFaults(page, scheme === "dark" ? COLOURS : undefined);
        found.push(...faults.map((fault) => `${at}: ${fault}`));
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        if (wide > width) found.push(`${at}: it is ${wide} px wide`);
        await shot(page, `page${address.replaceAll(/\W+/g, "-")}-${width}-${scheme}`);
      }
    }
    expect(found).toEqual([]);
    expect(tab.faults()).toEqual([]);
  });

  test("asks for the login first, and is what is shown after it, with what its address says", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await page.goto(`${orch.url}/console/scorecard?weeks=4`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await logInByForm(page);
    await page.getByRole("heading", { level: 1, name: "Scorecard" }).waitFor();
    expect(page.url()).toBe(`${orch.url}/console/scorecard?weeks=4`);
  });
});
