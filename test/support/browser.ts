// Debian's Chromium, driven by playwright-core: the console as a human has it in front of them, on the real server. A tab fails its
// test by what a developer would see in red: errors of scripts, refused requests, violations of the content security policy.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { z } from "zod";
import { type OrchProcess, TOKEN } from "./orch-process.ts";

const PROGRAM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const ARGUMENTS =
  "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync";

export type Scheme = "light" | "dark";
export const PHONE = 390;
export const DESK = 1400;

export type Tab = {
  readonly page: Page;
  /** What the test causes, such as a refusal that the browser logs, is no fault of the page. */
  readonly expectFaults: (like: RegExp) => void;
  /** So far, without those that are expected. */
  readonly faults: () => readonly string[];
} & AsyncDisposable;

type TabOptions = { readonly width?: number; readonly scheme?: Scheme; readonly reduced_motion?: boolean };

export type TestBrowser = {
  readonly is_missing: boolean;
  /** A tab of its own, with its own cookies and storage. Disposing of it throws when it had faults. */
  readonly open: (options?: TabOptions) => Promise<Tab>;
  readonly close: () => Promise<void>;
};

/** Starts with the first tab, so a run that needs none starts nothing. Close it after the tests of a file. */
export function browser(): TestBrowser {
  const is_missing = !existsSync(PROGRAM);
  if (is_missing) process.stdout.write(`Chromium is not installed here (no ${PROGRAM}): what needs it is skipped\n`);
  let running: Promise<Browser> | undefined;
  return {
    is_missing,
    open: async (options = {}) => {
      running ??= launch();
      return tabOf(await contextOf(await running, options));
    },
    close: async () => (await running)?.close(),
  };
}

async function launch(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath: PROGRAM, args: ARGUMENTS.split(" ") });
}

function contextOf(running: Browser, { width = DESK, scheme = "light", reduced_motion = true }: TabOptions) {
  const is_phone = width <= PHONE;
  return running.newContext({
    viewport: { width, height: is_phone ? 844 : 900 },
    hasTouch: is_phone,
    colorScheme: scheme,
    reducedMotion: reduced_motion ? "reduce" : "no-preference",
    permissions: ["clipboard-read", "clipboard-write"],
  });
}

/** Runs in the page before its own scripts. */
const WATCH = `
  globalThis.orchShifts = [];
  const nameOf = ({ node }) => node === null ? "?" : node.nodeName.toLowerCase() + "." + (node.className ?? "");
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (!hadRecentInput) orchShifts.push({ value, moved: sources.map(nameOf) });
    }
  }).observe({ type: "layout-shift", buffered: true });
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) => {
    orchViolation([effectiveDirective, blockedURI, sample].join(" "));
  });`;

async function tabOf(context: BrowserContext): Promise<Tab> {
  const found: string[] = [];
  const expected: RegExp[] = [];
  const faults = () => found.filter((fault) => !expected.some((like) => like.test(fault)));
  await context.exposeFunction("orchViolation", (what: string) => void found.push(`policy violation: ${what}`));
  await context.addInitScript(WATCH);
  context.on("console", (message) => {
    if (message.type() === "error") found.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (error) => found.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  return {
    page: await context.newPage(),
    expectFaults: (like) => void expected.push(like),
    faults,
    async [Symbol.asyncDispose]() {
      await context.close();
      if (faults().length > 0) throw new Error(`the tab had faults:\n${faults().join("\n")}`);
    },
  };
}

type Served = Pick<OrchProcess, "url" | "post">;

/** Logs in by a one-time link, as `orch console` does, at a path below /console such as "/tasks". */
export async function openConsole(orch: Served, page: Page, path = ""): Promise<void> {
  const { body } = await orch.post("/console/links", { name: "ada" });
  const link = new URL(body.url);
  await page.goto(`${orch.url}/console${path}${link.hash}`);
  await untilLoggedIn(page);
}

/** Logs in by the form, wherever the page is. */
export async function logInByForm(page: Page, token = TOKEN, name = "ada"): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Log in" }).click();
  await untilLoggedIn(page);
}

const untilLoggedIn = (page: Page): Promise<void> => page.getByRole("navigation", { name: "Pages" }).waitFor();

/** Until what the page asked for is there, and it shows no "Reading". */
export async function untilQuiet(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".waiting").first().waitFor({ state: "detached" });
}

/** As it is shown: cells of a row with a tab between them. */
export const shownText = async (shown: Locator): Promise<string> => (await shown.allInnerTexts()).join("\n");

/** As "wcag2a", "wcag21aa". */
const WCAG = /^wcag2\d?aa?$/;

const Violations = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullish(),
    help: z.string(),
    tags: z.array(z.string()),
    nodes: z.array(z.object({ target: z.array(z.unknown()) })),
  }),
);

/** Every fault by a rule of WCAG 2 on level A or AA, and what axe-core calls serious or critical beside them, a line each. `rules`: only these. */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) {
    // By the protocol of the debugger: the policy of the page lets no other script in.
    const debuggers = await page.context().newCDPSession(page);
    await debuggers.send("Runtime.evaluate", { expression: axe.source });
    await debuggers.detach();
  }
  const options = { preload: false, resultTypes: ["violations"], ...(rules !== undefined && { runOnly: rules }) };
  const found = Violations.parse(
    await page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`),
  );
  return found
    .filter(({ impact, tags }) => impact === "serious" || impact === "critical" || tags.some((tag) => WCAG.test(tag)))
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

const Shifts = z.array(z.object({ value: z.number(), moved: z.array(z.string()) }));

/** How far what was in view has moved by itself since the last call, and what moved: 0.1 is what Web Vitals call poor to look at. */
export async function layoutShift(page: Page): Promise<{ readonly total: number; readonly moved: readonly string[] }> {
  const shifts = Shifts.parse(await page.evaluate("orchShifts.splice(0)"));
  return {
    total: shifts.reduce((total, { value }) => total + value, 0),
    moved: shifts.flatMap(({ value, moved }) => `${value.toFixed(4)} ${moved.join(", ")}`),
  };
}

/** A picture of the whole page, where ORCH_SHOTS names a directory for them. */
export async function shot(page: Page, name: string): Promise<void> {
  const directory = process.env["ORCH_SHOTS"];
  if (directory === undefined) return;
  await mkdir(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
}
