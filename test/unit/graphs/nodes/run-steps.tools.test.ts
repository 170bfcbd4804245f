// What the servers of tools say when a plan is about to run counts for the steps that are left, and for no other (D-187).
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import { boundTool } from "../../../../src/domain/bound-tool.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { ToolListing } from "../../../../src/domain/tool.ts";
import type { ToolServers } from "../../../../src/ports.ts";
import { aContract, mcpCall } from "../../../support/builders.ts";
import { pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";

const looks = mcpCall({ tool: "get", expect: { path: "", equals: 1 } });
const SCOPED = aContract({ constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 } });
const TAUGHT = procedureOf([looks], { sop_id: null, sop_version: null });

type StatedEffectOf = ToolServers["effectOf"];

/** A server that says nothing of its tool any more. */
const silent = ({ deps }: ReturnType<typeof pipelineParts>) => ({
  ...deps,
  toolServers: { ...deps.toolServers, effectOf: async () => "unknown" as const },
});

test("a plan with a step left runs while its tool is marked as reading, and not any more when it is not", async () => {
  const marked = pipelineParts();
  const contract = await marked.begin(SCOPED, pinning(TAUGHT));
  expect(await runSteps(marked.deps)(stateOf({ contract }))).toEqual({ execution: "completed" });
  const parts = pipelineParts();
  await parts.begin(SCOPED, pinning(TAUGHT));
  expect(await runSteps(silent(parts))(stateOf({ contract }))).toMatchObject({
    execution: "unapproved",
    reason: { reason_code: "approval_stale" },
  });
  expect(parts.requests).toEqual([]);
});

test("a plan that is cancelled is no plan that was not approved", async () => {
  const parts = pipelineParts();
  const contract = await parts.begin(SCOPED, pinning(TAUGHT));
  await parts.threads.threadOf("t-1");
  parts.threads.cancel("t-1");
  expect(await runSteps(silent(parts))(stateOf({ contract }))).toMatchObject({ execution: "cancelled" });
});

const UNREAD = { is: "unread", why: "no list today", is_unreachable: false } as const;

test("a plan whose lists of tools cannot be read waits for them, and says why of each", async () => {
  const parts = pipelineParts();
  const steps = ["one", "two", "silent"].map((tool) => mcpCall({ tool, expect: { path: "", equals: 1 } }));
  const effectOf: StatedEffectOf = async ({ tool }) => (tool === "silent" ? "unknown" : UNREAD);
  const deps = { ...parts.deps, toolServers: { ...parts.deps.toolServers, effectOf } };
  const contract = await parts.begin(SCOPED, pinning({ ...TAUGHT, steps }));
  const unread = (tool: string) =>
    ` the list of tools could not be read: no list today; a check only looks, and only the list says whether notes.${tool} does.`;
  expect(await runSteps(deps)(stateOf({ contract }))).toEqual({
    execution: "unapproved",
    reason: {
      reason_code: "tool_list_unread",
      message: `Whether what would run now is what was approved cannot be seen.${unread("one")}${unread("two")}`,
      step_index: null,
    },
  });
  expect(parts.requests).toEqual([]);
});

describe("a version in use whose tool was listed when it was judged", () => {
  const listed = (description: string): ToolListing => ({
    is: "listed",
    tools: [
      {
        name: "get",
        description,
        input_schema: {},
        effect: "reads",
        idempotent: true,
        destructive: false,
        definition: { name: "get", description },
      },
    ],
  });
  const AWAY: ToolListing = { ...UNREAD, is_unreachable: true };

  /** Its lists are these, one after the other, and then the last of them. */
  async function ran(...lists: ToolListing[]) {
    const parts = pipelineParts();
    const tool = boundTool({ server: "notes", tool: "get" }, listed("Gets a note."), parts.deps.redact);
    const judged: NewEvent = { kind: "policy_judged", body: { findings: [], tools: [tool] } };
    const contract = await parts.begin(SCOPED, pinning(procedureOf([looks])), judged);
    const listNow = async () => (lists.length > 1 ? lists.shift() : lists[0]) ?? AWAY;
    const deps = { ...parts.deps, toolServers: { ...parts.deps.toolServers, listNow } };
    return { facts: await runSteps(deps)(stateOf({ contract })), steps: (await parts.journalOf()).projection.steps };
  }

  test("runs while its server cannot be reached: no call reaches it either", async () => {
    expect((await ran(AWAY)).facts).toEqual({ execution: "completed" });
  });

  test("does not run while its server gives no list", async () => {
    const { facts, steps } = await ran(UNREAD);
    const how = "notes.get cannot be compared: the list of tools could not be read: no list today.";
    const message = `Whether what would run now is what was approved cannot be seen. ${how}`;
    const reason = { reason_code: "tool_list_unread", message, step_index: null };
    expect([facts, steps.passed]).toEqual([{ execution: "unapproved", reason }, 0]);
  });

  test("does not start the step before which it changes", async () => {
    const { facts, steps } = await ran(listed("Gets a note."), listed("Deletes a note."));
    expect(facts).toMatchObject({ execution: "unapproved", reason: { reason_code: "approval_stale", step_index: 0 } });
    expect(steps.starts).toEqual([]);
  });
});
