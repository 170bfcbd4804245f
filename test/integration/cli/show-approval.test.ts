// An approval is shown whole on any terminal, so that nothing hidden is approved.
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { runInProcess } from "../../support/cli-in-process.ts";
import { littleServer } from "../../support/cli-server.ts";

const AT = "2026-03-06T09:00:00.000Z";
const LONG = `echo ${"x".repeat(400)}; rm -f /srv/web/\u202etxt.cfg`;
const approval = {
  approval_id: "5503fd40-284a-4e81-a28a-be5ae9eaa733",
  thread_id: "t-1",
  kind: "plan",
  content: {
    intent: "deploy",
    target_signature: "service=web",
    sop_id: null,
    sop_version: null,
    steps: [cmd("set -e\n\tcp a b\necho done"), cmd(LONG), check("test -f b")],
    criteria: [{ criterion: "b is there", step_index: 2 }],
    safety_level: "approval_required",
    runs_on: ["docker", "host:nas"],
    preconditions: ["no one\u001b[8m works on it", "it is day"],
    findings: [
      {
        step_index: 1,
        verdict: "ask",
        code: "category.matched",
        reason: "it writes",
        command: LONG,
        category: "writes",
      },
    ],
    scripts: [{ path: "/srv/web/\u202edeploy.sh", digest: "e".repeat(64) }],
  },
  digest: "d".repeat(64),
  reason: "Two steps need one.",
  status: "pending",
  interrupt_id: "i",
  expires_at: AT,
  decision: null,
  created_at: AT,
  decided_at: null,
};

const shown = async (columns: number | undefined, args: readonly string[]) => {
  await using server = await littleServer(() => ({ body: { approvals: [approval], next_after: null } }));
  const environment = { ORCH_URL: server.url, ORCH_TOKEN: "t".repeat(40) };
  return await runInProcess(args, { environment, ...(columns !== undefined && { columns }) });
};

test.each([undefined, 200, 40])(
  "an approval shows every step in full on %s columns, with hidden characters escaped",
  async (columns) => {
    const { exit, stdout, stderr } = await shown(columns, ["approvals", approval.approval_id]);
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain(`  step 1  cmd  ${LONG.replace("\u202e", "\\u{202e}")}\n`);
    expect(stdout).toContain("  step 0  cmd\n      set -e\n      \tcp a b\n      echo done\n");
    expect(stdout).toContain("proves: b is there");
    expect(stripVTControlCharacters(stdout)).toMatch(/^ +runs on +servers with docker,\s+host:nas$/m);
    expect(stdout.replace(/\n {2,}/g, " ")).toContain("no one\\x1b[8m works on it");
    expect(stdout).toContain("category.matched  it writes");
    expect(stdout).toContain(`  script  /srv/web/\\u{202e}deploy.sh  ${"e".repeat(64)}\n`);
    expect(stdout).toContain(`orch approve ${approval.approval_id} --digest ${approval.digest}`);
  },
);

describe("without an id", () => {
  const answered = async (approvals: readonly unknown[], ...args: string[]) => {
    await using server = await littleServer(() => ({ body: { approvals, next_after: null } }));
    const said = await runInProcess(args, { environment: { ORCH_URL: server.url, ORCH_TOKEN: "t".repeat(40) } });
    expect(new Set(server.asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
    return said;
  };

  test.each([["approve"], ["reject", "--by", "operator"], ["approve", "--digest", approval.digest]])(
    "%s shows the pending approval and decides nothing",
    async (...args) => {
      const { exit, stdout, stderr } = await answered([approval], ...args);
      expect({ exit, stderr }).toEqual({ exit: 4, stderr: expect.stringContaining("nothing was decided") });
      expect(stdout).toBe((await answered([approval], "approvals", approval.approval_id)).stdout);
    },
  );

  test("approve fails when no approval or more than one is pending", async () => {
    expect(await answered([], "approve")).toMatchObject({ exit: 5, stderr: expect.stringContaining("not_found") });
    const two = await answered([approval, { ...approval, approval_id: "another" }], "approve");
    expect(two).toMatchObject({ exit: 5, stdout: "", stderr: expect.stringContaining("approval_ambiguous") });
  });
});

test("approvals accepts the id of a task, and reports an unknown one", async () => {
  expect((await shown(80, ["approvals", "t-1"])).stdout).toContain(approval.approval_id);
  const none = await shown(80, ["approvals", "t-2"]);
  expect(none).toMatchObject({ exit: 5, stderr: expect.stringContaining("There is no approval t-2") });
});

test("the list fits the terminal and cuts no id", async () => {
  for (const columns of [120, 80, 72]) {
    const { stdout } = await shown(columns, ["approvals"]);
    const lines = stripVTControlCharacters(stdout).trimEnd().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines[1]).toMatch(new RegExp(`^${approval.approval_id}  pending  plan`));
  }
});
