// The pages of tasks in a real browser, on the real server: the list, the run with its live output, the way, the journal, the agent.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls, startScriptedModel } from "../../support/agent-model.ts";
import {
  accessibilityFaults,
  browser,
  DESK,
  layoutShift,
  openConsole,
  PHONE,
  shot,
  untilQuiet,
} from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const chromium = browser();
const place = await temporaryDirectory();
const work = await temporaryDirectory();
const GREEN = { kind: "check", value: "test -d /tmp" };
const RUN = ["shell", { command: "echo one > made; echo made it" }] as const;
const CHECK = ["shell", { command: "grep -q one made", check: true }] as const;
const END = ["finish", { summary: "It is made.", checks: ["grep -q one made"] }] as const;
const TURNS = [calls([...CHECK], ["shell", { command: "rm -rf /usr" }]), calls([...RUN], [...CHECK]), calls([...END])];
const model = await startScriptedModel(
  ({ messages }) => TURNS[messages.filter(({ role }) => role === "assistant").length] ?? calls([...END]),
);
let orch: OrchProcess;

beforeAll(async () => {
  if (!chromium.is_missing) orch = await startOrchProcess({ data_dir: place.path, env: model.env });
});
afterAll(async () => {
  await chromium.close();
  if (!chromium.is_missing) await orch.kill("SIGTERM");
  await model[Symbol.asyncDispose]();
  for (const directory of [place, work]) await directory[Symbol.asyncDispose]();
});

const untilStatus = async (task_id: string, status: string) => {
  for (let n = 0; n < 400; n++) {
    const { body } = await orch.get(`/v1/tasks/${task_id}`);
    if (body.status === status) return body;
    await sleep(25);
  }
  throw new Error(`${task_id} does not become ${status}`);
};

/** Taught to the task itself, so that nothing has to be promoted. */
async function aTask(task_id: string, steps: readonly object[], status = "ok") {
  const target = { service: task_id, compose_dir: work.path };
  await orch.post("/v1/tasks", contractBody({ task_id, target, success_criteria: [] }));
  await untilStatus(task_id, "need_input");
  const taught = await orch.post("/v1/teach", { task_id, steps });
  expect(taught.status, JSON.stringify(taught.body)).toBe(200);
  return untilStatus(task_id, status);
}

async function anAgent(task_id: string) {
  await rm(join(work.path, "made"), { force: true });
  const constraints = { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 };
  const given = {
    delegation_mode: "agent",
    constraints,
    payload: { goal: "make it" },
    success_criteria: ["it is made"],
  };
  await orch.post("/v1/tasks", contractBody({ task_id, target: { compose_dir: work.path }, ...given }));
  await untilStatus(task_id, "ok");
}

const openTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

describe.skipIf(chromium.is_missing)("a task in the console", () => {
  test("shows what its running step writes as it is written, and nothing on the page moves", async () => {
    const until = join(work.path, "go");
    const steps = [
      { kind: "cmd", value: `for i in $(seq 500); do echo "line $i"; test -e ${until} && exit 0; sleep 0.1; done` },
      GREEN,
    ];
    await aTask("live", steps, "running");
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/tasks/live");
    const log = page.getByRole("log");
    await log.getByText("line 3", { exact: true }).waitFor();
    await layoutShift(page);
    await log.getByText("line 12", { exact: true }).waitFor();
    const { total, moved } = await layoutShift(page);
    expect(total, moved.join("\n")).toBeLessThan(0.01);
    await openTab(page, "Way");
    await page.locator('.graph-node[data-state="current"]', { hasText: "run_steps" }).waitFor();
    await openTab(page, "Run");
    await orch.post("/v1/tasks/live/cancel", { reason: "seen" });
    await page.getByText("The supervisor cancelled the task").waitFor();
    await openTab(page, "Way");
    await page.locator('.graph-node[data-state="passed"]', { hasText: "cancelled" }).waitFor();
  });

  test("opens the first step that failed, and a line of its output is a link", async () => {
    const failing = { kind: "cmd", value: "seq 30; echo 'it broke here' >&2; exit 4" };
    await aTask("broken", [{ kind: "cmd", value: "echo fine" }, failing, GREEN], "failed");
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/tasks/broken");
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
    await aTask("hostile", [{ kind: "cmd", value: `node -e '${code}'` }, GREEN]);
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/tasks/hostile");
    const begun = performance.now();
    await page.getByRole("button", { name: /^0 node/ }).click();
    const output = page.getByRole("group", { name: "Output (stdout)" });
    await output
      .getByText("0 \\x1b[31mred \\x1b]0;owned\\x07 </script><img src=x onerror=alert(1)> \\u{202e}gnp.exe")
      .first()
      .waitFor();
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect(await output.locator(".output-line").count()).toBeLessThanOrEqual(400);
    expect(await output.locator("img, script").count()).toBe(0);
    expect(await output.locator('a:not([href^="#"])').count()).toBe(0);
    expect(await page.getByText("bytes left out").count()).toBeGreaterThan(0);
  });

  test("takes what a person has seen of its result, and refuses an empty source at its field", async () => {
    await aTask("seen", [{ kind: "cmd", value: "echo x" }, GREEN]);
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page, "/tasks/seen");
    await page.getByRole("button", { name: "Record what you saw" }).click();
    expect(await page.getByRole("button", { name: "The result is there" }).isDisabled()).toBe(true);
    await page.getByLabel("Where you looked").fill("the dashboard");
    await page.getByRole("button", { name: "The result is there" }).click();
    await page.getByText("It is there").waitFor();
    expect((await orch.get("/v1/tasks/seen")).body.verification).toMatchObject({
      verified: true,
      source: "the dashboard",
    });
  });

  test("is cancelled from its page, after it was asked once more", async () => {
    await aTask("stopped", [{ kind: "cmd", value: "sleep 60" }, GREEN], "running");
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page, "/tasks/stopped");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Reason (for the record)").fill("not today");
    await page.getByRole("button", { name: "Cancel the task" }).click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
    await openTab(page, "Journal");
    await page.getByText("cancel_requested").click();
    await page.getByText('"reason": "not today"').waitFor();
  });

  test("of an agent is a transcript, with what was refused in its place, and can become a procedure", async () => {
    await anAgent("agent");
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/tasks/agent?tab=agent");
    await page.locator("#c1").getByText("Refused").waitFor();
    await page.getByText("3 of 30").waitFor();
    await page.locator("#c2").getByText("made it", { exact: true }).waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Make a procedure of it" }).click();
    await page.getByRole("link", { name: "Read and teach it" }).waitFor();
  });
});

describe.skipIf(chromium.is_missing)("the list of tasks in the console", () => {
  test("is narrowed by its address, and moved in by the keyboard", async () => {
    await aTask("list-one", [GREEN]);
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/tasks");
    await page.keyboard.press("/");
    await page.keyboard.type("list-o");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=list-o");
    await page.getByText("1 in all").waitFor();
    await page.getByLabel("Status").selectOption("failed");
    await page.getByText("No task is like that").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText("list-one").first().waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Run" }).waitFor();
  });

  test("holds only the rows in view, reads older ones as they come near, and shows a new task by itself", async () => {
    for (let at = 0; at < 230; at += 1)
      await orch.post(
        "/v1/tasks",
        contractBody({ task_id: `many-${at}`, delegation_mode: "known_only", target: { service: "none" } }),
      );
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/tasks?q=many-");
    await page.getByText("100 read; older ones follow as you scroll").waitFor();
    for (let pages = 0; pages < 40 && !(await page.getByText("many-0", { exact: true }).isVisible()); pages += 1) {
      await page.mouse.wheel(0, 1_500);
      await sleep(50);
    }
    await page.getByText("230 in all").waitFor();
    expect(await page.locator(".task-row").count()).toBeLessThan(60);
    await page.keyboard.press("Home");
    await orch.post(
      "/v1/tasks",
      contractBody({ task_id: "many-new", delegation_mode: "known_only", target: { service: "none" } }),
    );
    await page.getByText("many-new").waitFor();
    await page.getByText("231 in all").waitFor();
  });
});

describe.skipIf(chromium.is_missing)("every page of tasks", () => {
  beforeAll(async () => {
    await aTask("axe", [{ kind: "cmd", value: "seq 30; exit 4" }, GREEN], "failed");
    await anAgent("axe-agent");
  });

  test.each([
    [DESK, "light"],
    [PHONE, "dark"],
  ] as const)("has no serious fault of accessibility at %i px in %s, and fits its width", async (width, scheme) => {
    await using tab = await chromium.open({ width, scheme });
    const { page } = tab;
    await openConsole(orch, page, "/tasks");
    const of = ["/tasks/axe", "/tasks/axe?tab=graph", "/tasks/axe?tab=journal", "/tasks/axe-agent?tab=agent"];
    const paths = ["/tasks", ...of, "/graph"];
    for (const path of paths) {
      await page.goto(`${orch.url}/console${path}`);
      await untilQuiet(page);
      await sleep(200);
      expect(await accessibilityFaults(page), path).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
      await shot(page, `${path.replace(/\W+/g, "-")}-${width}-${scheme}`);
    }
  });
});
