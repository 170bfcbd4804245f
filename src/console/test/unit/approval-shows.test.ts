// The page of an approval shows everything that the digest of the decision covers: each field of each kind of content, by its value.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { z } from "zod";
import { AgentContent, ProcedureContent, type Rollback, type SetBack, SkillContent } from "../../../domain/approval.ts";
import { TaskContract } from "../../../domain/contract.ts";
import type { Finding } from "../../../domain/finding.ts";
import type { SopProof } from "../../../domain/sop.ts";
import type { ApprovalBody as Body } from "../../pages/approval/approval-page.tsx";
import { absoluteTime } from "../../parts/text.ts";

let ApprovalBody: typeof Body;

beforeAll(async () => {
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal("scrollTo", () => {});
  ({ ApprovalBody } = await import("../../pages/approval/approval-page.tsx"));
});
afterAll(() => void vi.unstubAllGlobals());

type Shown = Parameters<typeof Body>[0]["shown"];

/** Without styles and scripts, and with the entities of quotes undone. */
async function textOf(shown: Shown): Promise<string> {
  const component = () =>
    createElement(QueryClientProvider, { client: new QueryClient() }, createElement(ApprovalBody, { shown }));
  const routes = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() });
  await routes.load();
  return renderToStaticMarkup(createElement(RouterProvider, { router: routes as never }))
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'");
}

const AT = "2026-01-01T00:00:00Z";
const RECORD = { since: "since-1", runs: 8101, passed: 8102, streak: 8103, verified: 8104, refuted: 8105 };

const contract = TaskContract.parse({
  task_id: "task-of-it",
  intent: "deploy",
  target: { service: "web" },
  delegation_mode: "known_only",
  constraints: { implicit_scope: ["cmd:scoped"], require_approval_for: ["asked first"], max_minutes: 77 },
  success_criteria: ["wanted criterion"],
  requested_by: "asker",
  requested_at: AT,
  payload: { given: "payload" },
  execution_backend: "flowengine",
  runs_on: ["docker"],
  agent_backend: "plain",
  skip_if_done: true,
  verify_within_hours: 8201,
  verify_by: "sop:health_check",
  verify_after_seconds: 8202,
});

const proof: SopProof = {
  level: "tried",
  proved_on: "proved-place",
  warnings: ["be warned"],
  compared_to: 1,
  diff: null,
  steps: [{ step_index: 0, change: "changes", preview: { exit_code: 0, output: "previewed", obstacle: null } }],
  checks: [
    {
      step_index: 1,
      criterion: "checked criterion",
      class: "proved",
      seen_red: ["before"],
      reason: "why it",
      now: "red",
    },
  ],
  runs: [
    {
      task_id: "run-of-it",
      ended_at: AT,
      passed: true,
      verified: false,
      checks: [{ step_index: 1, passed: true, class: "unproved", seen_red: [], change: null }],
    },
  ],
};

const set_back: SetBack = {
  rule: "failing",
  why: "the rule with numbers",
  holds: false,
  record: RECORD,
  refutations: [
    {
      task_id: "refuted-run",
      verification: { verified: false, source: "by-eye", note: "a-note", recorded_at: AT } as never,
    },
  ],
  failures: [{ task_id: "failed-run", ended_at: AT, reason_code: "step_failed" }],
  earlier: { sop_id: "earlier-sop", version: 8301 },
};

const rollback: Rollback = {
  to: { sop_id: "to-sop", version: 8401 },
  from: { sop_id: "from-sop", version: 8402 },
  record: RECORD,
  diff: [{ is: "added", step_index: 0, step: "cmd brought back" }],
};

const finding: Finding = {
  step_index: 0,
  verdict: "ask",
  code: "safety.on_trial",
  reason: "a finding",
  command: null,
  category: null,
};

const tools = [{ server: "notes", tool: "move", digest: "fedcba", says: ["moves a note"] }];

const procedure: ProcedureContent = {
  tools,
  intent: "deploy",
  target_signature: "service=web",
  sop_id: "sop-of-it",
  sop_version: 8501,
  on_trial: true,
  steps: [
    { kind: "cmd", value: "touch it", preview: "diff it" },
    { kind: "check", value: "test -e it" },
  ],
  criteria: [{ criterion: "proved criterion", step_index: 1 }],
  safety_level: "approval_required",
  preconditions: ["it is plugged in"],
  findings: [finding],
  scripts: [{ path: "/srv/run.sh", digest: "abcdef" }],
  replaces: 8601,
  proof,
  set_back,
  rollback,
  runs_on: ["docker"],
  contract,
};

const agent: AgentContent = {
  tools,
  intent: "triage",
  target_signature: "host=nas",
  turn: 8701,
  findings: [finding],
  runs_on: ["docker"],
  contract,
  calls: [
    {
      index: 0,
      step: { kind: "cmd", value: "touch it" },
      edit: { path: "/srv/edited", old_text: "text before", new_text: "text after" } as never,
    },
  ],
  scripts: [{ path: "/srv/run.sh", digest: "abcdef" }],
};

const skill: SkillContent = {
  intent: "record_to_notes",
  target_signature: "notes=home",
  action: "write a note",
  details: ["a changed line"],
  data: { machine: "readable" },
  runs_on: ["docker"],
};

const step = (index: number, kind: string, command: string, proves: readonly string[]) =>
  ({
    index,
    kind,
    command,
    proves,
    environment: {},
    saw: [],
    verdict: "ask",
    change: "changes",
    consequences: [],
    findings: index === 0 ? [finding] : [],
    blast: null,
    ...(index === 0 && { preview: "diff it" }),
  }) as const;

const steps = [step(0, "cmd", "touch it", []), step(1, "check", "test -e it", ["proved criterion"])];

/** As get_approval answers. */
const shownOf = (kind: string, content: object): Shown =>
  ({
    approval: {
      approval_id: "a-1",
      thread_id: "t",
      kind,
      content,
      digest: "sha256:0123456789abcdef",
      reason: "asked",
      status: "pending",
      interrupt_id: "i",
      expires_at: AT,
      decision: null,
      created_at: AT,
      decided_at: null,
    },
    asked_by: "Asked for by a test.",
    steps: kind === "skill" ? [] : steps,
    counts: { looks: 0, changes: 2, cannot_tell: 0 },
    checks: kind === "promotion" ? proof.checks : [],
    compared_with: null,
    task: { task_id: "task-of-it" },
    sop:
      kind !== "promotion"
        ? null
        : {
            sop_id: "sop-of-it",
            version: 8501,
            status: "candidate",
            level: "tried",
            trial_left: 1,
            last_success_at: null,
            success_count: 0,
            failure_count: 0,
            record: { ...RECORD, lower: 0, upper: 1, mark: "unproven" },
          },
  }) as never;

type Values<S extends z.ZodObject> = Record<keyof S["shape"], readonly string[]>;

/** Of each field the texts by which a reader sees its value. A field that is added has none, and fails here and in the types. */
const OF_PROOF: Values<typeof SopProof> = {
  level: ["tried"],
  proved_on: ["proved-place"],
  warnings: ["be warned"],
  steps: ["previewed"],
  checks: ["checked criterion", "why it", "Does not hold now", "on the target before a change"],
  runs: ["run-of-it", "found wrong outside", "Never seen to fail"],
  // The page says against which version it compares, and how, as get_approval has it.
  compared_to: ["What is new"],
  diff: ["What is new"],
};
const OF_SET_BACK: Values<typeof SetBack> = {
  rule: ["has lost its proof"],
  why: ["the rule with numbers"],
  holds: ["record has become better"],
  record: ["8102", "8101 runs", "8103", "8104", "8105", "since-1"],
  refutations: ["refuted-run", "by-eye: a-note"],
  failures: ["failed-run", "step_failed"],
  earlier: ["8301"],
};
const OF_ROLLBACK: Values<typeof Rollback> = {
  to: ["8401"],
  from: ["8402"],
  diff: ["brought back"],
  record: ["Their record: 8102"],
};
const OF_CONTRACT: Values<typeof TaskContract> = {
  task_id: ["task-of-it"],
  intent: ["deploy"],
  target: ["service=web"],
  delegation_mode: ["known_only"],
  success_criteria: ["wanted criterion"],
  payload: ["payload"],
  requested_by: ["asker"],
  requested_at: [AT],
  constraints: ["cmd:scoped", "asked first", "77 minutes"],
  execution_backend: ["the flow engine"],
  runs_on: ["tag docker"],
  agent_backend: ["plain"],
  skip_if_done: ["skip_if_done"],
  verify_within_hours: ["8201"],
  verify_by: ["sop:health_check"],
  verify_after_seconds: ["8202"],
};
const OF_PROCEDURE: Values<typeof ProcedureContent> = {
  intent: ["deploy"],
  target_signature: ["service=web"],
  sop_id: ["sop-of-it"],
  sop_version: ["8501"],
  steps: ["touch it", "diff it", "test -e it"],
  criteria: ["Proves: ", "proved criterion"],
  safety_level: ["every run asks"],
  findings: ["a finding"],
  preconditions: ["it is plugged in"],
  scripts: ["/srv/run.sh", "abcdef"],
  on_trial: ["no run has proved"],
  tools: ["notes.move", "fedcba", "moves a note"],
  replaces: ["8601"],
  runs_on: ["docker"],
  proof: Object.values(OF_PROOF).flat(),
  set_back: Object.values(OF_SET_BACK).flat(),
  rollback: Object.values(OF_ROLLBACK).flat(),
  contract: Object.values(OF_CONTRACT).flat(),
};
const OF_AGENT: Values<typeof AgentContent> = {
  intent: ["triage"],
  target_signature: ["host=nas"],
  turn: ["8701"],
  runs_on: ["docker"],
  calls: ["touch it", "/srv/edited", "text before", "text after"],
  findings: ["a finding"],
  tools: ["notes.move", "fedcba", "moves a note"],
  scripts: ["/srv/run.sh", "abcdef"],
  contract: Object.values(OF_CONTRACT)
    .flat()
    .filter((text) => !["deploy", "service=web"].includes(text)),
};
const OF_SKILL: Values<typeof SkillContent> = {
  intent: ["record_to_notes"],
  target_signature: ["notes=home"],
  action: ["write a note"],
  details: ["a changed line"],
  data: ["machine", "readable"],
  runs_on: ["docker"],
};

describe("the page of an approval", () => {
  test.each([
    ["promotion", procedure, ProcedureContent, OF_PROCEDURE],
    ["agent", agent, AgentContent, OF_AGENT],
    ["skill", skill, SkillContent, OF_SKILL],
  ])("shows of the kind %s every field that its digest covers", async (kind, content, schema, values) => {
    expect(Object.keys(values).toSorted()).toEqual(Object.keys(schema.shape).toSorted());
    const text = await textOf(shownOf(kind, content));
    const missing = Object.entries(values).flatMap(([field, all]) =>
      all.filter((value) => !text.includes(value)).map((value) => `${field}: ${value}`),
    );
    expect(missing).toEqual([]);
  });

  test("says at which time it expires, where no pointer can ask for it", async () => {
    expect(await textOf(shownOf("skill", skill))).toContain(`, ${absoluteTime(AT)}</span>`);
  });
});
