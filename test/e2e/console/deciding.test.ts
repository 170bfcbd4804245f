// What a person decides by, in a real browser: the inbox in the order of its risk, the target as it is now beside an approval, and
// what to do next where something was refused.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  accessibilityFaults,
  browser,
  logInByForm,
  openConsole,
  PHONE,
  shot,
  untilQuiet,
} from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { postJson } from "../../support/console.ts";
import { type OrchProcess, startOrchProcess, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { decision, scrollToEnd } from "./plan-to-approve.ts";

const chromium = browser();
const place = await temporaryDirectory();
const www = join(place.path, "www");
const APPROVER = "an-approver-token-for-tests-that-is-long-0123456789";
const STEPS = [
  { kind: "cmd", value: `echo 'version 2' > ${www}/release`, preview: `cat ${www}/release` },
  { kind: "check", value: `grep -q 'version 2' ${www}/release` },
  { kind: "check", value: `test -d ${www}` },
];
let orch: OrchProcess;

async function sent(path: string, body: object) {
  const answer = await orch.post(path, body);
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}
const task = (task_id: string, over: object) =>
  sent("/v1/tasks", { ...contractBody({ task_id, success_criteria: [], ...over }), wait_seconds: 20 });
const approve = (which: object) =>
  postJson(
    `${orch.url}/v1/approve`,
    { ...which, decision: "approve", wait_seconds: 20 },
    { authorization: `Bearer ${APPROVER}` },
  );

/** Its run was seen to be wrong from outside. */
async function aSetBackVersion(): Promise<void> {
  const target = { service: "web" };
  const steps = [
    { kind: "cmd", value: `echo x > ${www}/x` },
    { kind: "check", value: `test -s ${www}/x` },
  ];
  const { approval_id } = await sent("/v1/teach", { intent: "deploy", target, steps });
  await approve({ approval_id });
  await task("web", { target, delegation_mode: "known_only" });
  await approve({ task_id: "web" });
  await sent("/v1/tasks/web/verification", { verified: false, source: "the page itself" });
}

/** Something to teach that has waited for longest, a plan whose steps are stored nowhere, and a task that was blocked. */
beforeAll(async () => {
  if (chromium.is_missing) return;
  await mkdir(www);
  await writeFile(join(www, "release"), "version 1\n");
  const env = { BEFORE_LOOK: "on", CHECK_LOOKS: "on", ORCH_APPROVER_TOKEN: APPROVER };
  orch = await startOrchProcess({ data_dir: place.path, env });
  await task("untaught", { intent: "triage", target: { host: "edge" }, success_criteria: ["it is there"] });
  await task("plan", { intent: "restart", target: { service: "db" }, success_criteria: ["it is released"] });
  const plan = { task_id: "plan", steps: STEPS, criteria: { "it is released": 1 }, safety_level: "approval_required" };
  await sent("/v1/teach", { ...plan, wait_seconds: 20 });
  await aSetBackVersion();
  await task("blocked", { intent: "restart", target: { service: "none" }, delegation_mode: "known_only" });
});
afterAll(async () => {
  await chromium.close();
  if (!chromium.is_missing) await orch.kill("SIGTERM");
  await place[Symbol.asyncDispose]();
});

const rows = (page: Page) => page.locator(".inbox-row .status").allInnerTexts();
const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href");
const DOT = encodeURIComponent('fill="#c47a00"');

describe.skipIf(chromium.is_missing)("the inbox of the console", () => {
  test("asks for what is at risk first, however young it is, and says of a procedure that it was set back", async () => {
    await using tab = await chromium.open({ width: PHONE });
    await openConsole(orch, tab.page);
    await tab.page.getByText("Teach it").first().waitFor();
    expect(await rows(tab.page)).toEqual(["Set back: use it again?", "Approve a run", "Teach it"]);
    await shot(tab.page, "deciding-inbox");
  });

  test("counts what waits in the title and the icon, and puts a thing off for this device only", async () => {
    await using tab = await chromium.open();
    await using other = await chromium.open();
    await openConsole(orch, other.page);
    await openConsole(orch, tab.page);
    const { page } = tab;
    await expect.poll(() => page.title()).toBe("(3) Inbox · orch");
    expect(await icon(page)).toContain(DOT);
    for (let left = 2; left >= 0; left--) {
      await page
        .getByRole("button", { name: /^Not now/ })
        .first()
        .click();
      await expect.poll(() => page.title()).toBe(`${left > 0 ? `(${left}) ` : ""}Inbox · orch`);
    }
    await expect.poll(() => icon(page)).not.toContain(DOT);
    await page.reload();
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await other.page.reload();
    await expect.poll(() => other.page.title()).toBe("(3) Inbox · orch");
    expect((await orch.get("/v1/inbox")).body.items).toHaveLength(3);
  });
});

describe.skipIf(chromium.is_missing)("an approval of steps that are stored nowhere", () => {
  const approvalOf = async () => (await orch.get("/v1/approvals?thread_id=plan")).body.approvals[0].approval_id;

  test("shows what its checks answer on the target now and what its preview printed, and nothing was changed", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, `/approvals/${await approvalOf()}`);
    const known = page.getByRole("complementary", { name: "What is known of it" });
    await known.getByText("nothing was changed").waitFor();
    expect(await known.getByText("Does not hold now").count()).toBe(1);
    expect(await known.getByText("Holds now").count()).toBe(1);
    expect(await page.getByRole("group", { name: "Output of the preview" }).textContent()).toBe("version 1\n");
    await writeFile(join(www, "release"), "version 2\n");
    await known.getByRole("button", { name: "Look at the target now" }).click();
    await expect.poll(() => known.getByText("Holds now").count()).toBe(2);
    await shot(page, "deciding-approval");
  });

  test("is seen once its steps and the output of its preview were, and anew in another width", async () => {
    await using tab = await chromium.open({ width: PHONE });
    const { page } = tab;
    await openConsole(orch, page, `/approvals/${await approvalOf()}`);
    const preview = page.getByRole("group", { name: "Output of the preview" });
    await preview.waitFor();
    expect(await preview.evaluate("document.querySelector('.preview').clientHeight")).toBe(224);
    await decision(page).getByText("not seen yet").waitFor();
    await scrollToEnd(page);
    await decision(page).getByText("You have seen all of it.").waitFor();
    await page.setViewportSize({ width: PHONE - 40, height: 844 });
    await decision(page).getByText("not seen yet").waitFor();
  });

  test("is looked at by a session that may only decide, too", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await page.goto(`${orch.url}/console/approvals/${await approvalOf()}`);
    await logInByForm(page, APPROVER);
    await page.getByText("nothing was changed").waitFor();
  });
});

describe.skipIf(chromium.is_missing)("a tab that says the session may approve, when it may not any more", () => {
  test("asks for the approver's token, and goes on with it", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page);
    await page.evaluate(`sessionStorage.setItem("orch.session", JSON.stringify({
      ...JSON.parse(sessionStorage.getItem("orch.session")),
      scopes: ["read", "submit", "teach", "approve"], can_step_up: false, approve_until: "2026-01-01T00:00:00.000Z",
    }))`);
    await page.goto(`${orch.url}/console/servers`);
    await page.getByRole("button", { name: /^Freeze/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Approver token").fill(APPROVER);
    await dialog.getByRole("button", { name: "Go on" }).click();
    await dialog.getByRole("button", { name: "Freeze", exact: true }).waitFor();
    expect(await dialog.getByLabel("Approver token").count()).toBe(0);
  });
});

describe.skipIf(chromium.is_missing)("what was refused", () => {
  const write = async (page: Page, text: string) => {
    await page.getByRole("textbox", { name: "The procedure as YAML" }).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(text);
  };

  test("is said once of a teaching, with the way to the first mark", async () => {
    await using tab = await chromium.open();
    tab.expectFaults(/422|400/);
    const { page } = tab;
    await openConsole(orch, page, "/teach?task_id=untaught");
    await write(
      page,
      "steps:\n  - kind: cmd\n    value: rm -rf /\n  - kind: check\n    value: test -d /\ncriteria: {}\n",
    );
    const marks = page.locator(".verdict-found li");
    await expect.poll(() => marks.count()).toBe(3);
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    const refusal = page.getByRole("alert");
    await refusal.getByText("Nothing was taught: 3 things are wrong, marked where they are.").waitFor();
    expect(await page.getByText("deletes / and all below it").count()).toBe(1);
    expect(await marks.count()).toBe(3);
    await refusal.getByRole("button", { name: "Go to the first mark" }).click();
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toContain("as YAML");
    await shot(page, "deciding-refused");
  });

  test("is a scope that the session lacks: it is named before anything is written", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await page.goto(`${orch.url}/console/teach?task_id=untaught`);
    await logInByForm(page, APPROVER);
    await page.getByText("Teaching needs the scope teach").waitFor();
    await write(page, "steps:\n  - kind: check\n    value: test -d /\n");
    expect(await page.getByRole("button", { name: "Teach", exact: true }).isDisabled()).toBe(true);
  });

  test("leaves a task with what to do next, and a link to where it is done", async () => {
    await using tab = await chromium.open();
    const { page } = tab;
    await openConsole(orch, page, "/tasks/blocked");
    const next = page.getByRole("region", { name: "What to do next" });
    await next.getByText("Submit it so that it can be taught.").waitFor();
    await next.getByRole("link", { name: "Teach a procedure for it" }).click();
    await page.getByRole("heading", { name: "Teach restart anew" }).waitFor();
    await untilQuiet(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("is a name with a character that is not seen: the login says so at the field", async () => {
    await using tab = await chromium.open();
    tab.expectFaults(/400/);
    const { page } = tab;
    await page.goto(`${orch.url}/console/login`);
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByLabel("Your name").fill("ad\u200ba");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("leave out U+200B").waitFor();
  });
});

test.skipIf(chromium.is_missing)(
  "a procedure that is named by its key is taught anew from the version that there is",
  async () => {
    await using tab = await chromium.open();
    await openConsole(orch, tab.page, "/teach?intent=deploy&target=service%3Dweb");
    await tab.page.getByRole("heading", { name: "Change deploy" }).waitFor();
    await tab.page.getByRole("textbox", { name: "The procedure as YAML" }).getByText("test -s").waitFor();
  },
);
