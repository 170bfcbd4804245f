// The pictures of docs/console.md: a small home lab with work done and questions open. `ORCH_SHOTS=docs/console npx vitest run
// test/e2e/console/pictures` writes them anew; without it they go to a temporary directory.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browser, DESK, openConsole, PHONE, type Scheme, untilQuiet } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const chromium = browser();
const NAS = { host: "nas", service: "grafana" };
const DATABASE = { host: "nas", service: "postgres", data: "/var/lib/postgresql" };

type Body = Readonly<Record<string, unknown>>;

async function until(orch: OrchProcess, task_id: string, status: string): Promise<void> {
  for (let n = 0; n < 600; n++) {
    const { body } = await orch.get(`/v1/tasks/${task_id}`);
    if (body.status === status) return;
    await sleep(50);
  }
  throw new Error(`${task_id} does not become ${status}`);
}

async function ask(orch: OrchProcess, task_id: string, over: Body): Promise<void> {
  const asked = await orch.post("/v1/tasks", contractBody({ task_id, success_criteria: [], ...over }));
  expect(asked.status, JSON.stringify(asked.body)).toBe(200);
}

async function teach(orch: OrchProcess, body: Body): Promise<void> {
  const taught = await orch.post("/v1/teach", { wait_seconds: 20, ...body });
  expect(taught.status, JSON.stringify(taught.body)).toBe(200);
}

async function approveAll(orch: OrchProcess, signature: string): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const { body } = await orch.get("/v1/approvals?status=pending");
    const found = body.approvals.find(({ content }: { content: Body }) => content["target_signature"] === signature);
    if (found !== undefined) return void (await orch.post("/v1/approve", { ...answerTo(found), decided_by: "ada" }));
    await sleep(50);
  }
}
const answerTo = ({ approval_id, digest }: { approval_id: string; digest: string }) => ({
  approval_id,
  digest,
  decision: "approve",
});

async function aDeployInUse(orch: OrchProcess): Promise<void> {
  // In the directory where steps run, so that no picture has the path of a machine.
  const page = "dashboards/index.html";
  const steps = [
    { kind: "cmd", value: `mkdir -p dashboards && echo "release $ORCH_TASK_ID" > ${page}` },
    { kind: "check", value: `grep -q "$ORCH_TASK_ID" ${page}` },
  ];
  const deploy = { intent: "deploy", target: NAS };
  await ask(orch, "deploy-grafana-1", { ...deploy, success_criteria: ["the new dashboard is served"] });
  await until(orch, "deploy-grafana-1", "need_input");
  await teach(orch, { task_id: "deploy-grafana-1", steps });
  await until(orch, "deploy-grafana-1", "ok");
  await approveAll(orch, "host=nas;service=grafana");
  for (const nth of [2, 3, 4]) {
    await ask(orch, `deploy-grafana-${nth}`, { ...deploy, success_criteria: ["the new dashboard is served"] });
    const { body } = await orch.get(`/v1/tasks/deploy-grafana-${nth}?wait_seconds=20`);
    if (body.status === "need_approval") await orch.post("/v1/approve", { task_id: body.task_id, decision: "approve" });
    await until(orch, `deploy-grafana-${nth}`, "ok");
    await orch.post(`/v1/tasks/deploy-grafana-${nth}/verification`, { verified: true, source: "the dashboard itself" });
  }
}

const RESTART = [
  { kind: "check", value: `test -d "$ORCH_TARGET_DATA"` },
  {
    kind: "cmd",
    value: `systemctl stop "$ORCH_TARGET_SERVICE" && rm -rf "$ORCH_TARGET_DATA/old-wal"`,
    preview: `du -sh "$ORCH_TARGET_DATA/old-wal"`,
  },
  { kind: "cmd", value: `systemctl start "$ORCH_TARGET_SERVICE"` },
  { kind: "check", value: `pg_isready --host "$ORCH_TARGET_HOST"` },
];

/** A restart to approve, a task to teach, and one whose check failed. */
async function openQuestions(orch: OrchProcess): Promise<void> {
  const scope = ["cmd:systemctl", "cmd:rm", "cmd:du", "cmd:pg_isready", "cmd:df", "cmd:tail", "cmd:tr"];
  const constraints = { implicit_scope: scope, require_approval_for: ["deletes data"], max_minutes: 5 };
  await ask(orch, "restart-postgres-7", {
    intent: "restart",
    target: DATABASE,
    constraints,
    success_criteria: ["the database answers"],
    payload: { reason: "memory grows", ticket: "OPS-812" },
  });
  await until(orch, "restart-postgres-7", "need_input");
  await teach(orch, {
    task_id: "restart-postgres-7",
    steps: RESTART,
    criteria: { "the database answers": 3 },
    safety_level: "approval_required",
  });
  await ask(orch, "renew-certificate-3", {
    intent: "triage",
    target: { host: "edge", service: "caddy" },
    success_criteria: ["the certificate is valid for 60 days", "the page is served over TLS"],
  });
  await ask(orch, "disk-9", {
    intent: "health_check",
    target: { host: "nas" },
    success_criteria: ["the disk has room"],
    constraints: { ...constraints, require_approval_for: [] },
  });
  await until(orch, "disk-9", "need_input");
  await teach(orch, {
    task_id: "disk-9",
    steps: [
      { kind: "cmd", value: "df --human-readable /" },
      { kind: "check", value: "test $(df --output=pcent / | tail -n 1 | tr -dc 0-9) -lt 1" },
    ],
  });
  await until(orch, "disk-9", "failed");
}

async function picture(
  page: Page,
  orch: OrchProcess,
  given: { address: string; path: string; width: number; scheme: Scheme; until: string | undefined },
) {
  await page.setViewportSize({ width: given.width, height: given.width === PHONE ? 844 : 900 });
  await page.emulateMedia({ colorScheme: given.scheme });
  await page.goto(`${orch.url}/console${given.address}`);
  await untilQuiet(page);
  if (given.until !== undefined) await page.getByText(given.until).first().waitFor();
  await page.screenshot({ path: given.path });
  expect((await readFile(given.path)).byteLength).toBeGreaterThan(15_000);
}

test.skipIf(chromium.is_missing)("the pages that the documentation shows can be had as pictures", async () => {
  await using directory = await temporaryDirectory();
  const to = process.env["ORCH_SHOTS"] ?? directory.path;
  const orch = await startOrchProcess({
    data_dir: directory.path,
    env: { BEFORE_LOOK: "on", CHECK_LOOKS: "on", ORCH_SERVER_NAME: "lab" },
  });
  try {
    await aDeployInUse(orch);
    await openQuestions(orch);
    const { body } = await orch.get("/v1/approvals?thread_id=restart-postgres-7");
    await using tab = await chromium.open({ width: DESK });
    await openConsole(orch, tab.page);
    const approval = `/approvals/${body.approvals[0].approval_id}`;
    const PICTURES: readonly (readonly [
      name: string,
      address: string,
      width: number,
      scheme: Scheme,
      until?: string,
    ])[] = [
      ["approval", approval, DESK, "light", "nothing was changed"],
      ["approval-phone", approval, PHONE, "dark", "nothing was changed"],
      ["inbox", "", DESK, "light"],
      ["task", "/tasks/disk-9", DESK, "dark"],
      ["teach", "/teach?task_id=deploy-grafana-4", DESK, "light", "Can fail"],
      ["scorecard", "/scorecard", DESK, "light"],
    ];
    for (const [name, address, width, scheme, until] of PICTURES)
      await picture(tab.page, orch, { address, width, scheme, until, path: join(to, `${name}.png`) });
  } finally {
    await chromium.close();
    await orch.kill("SIGTERM");
  }
});
