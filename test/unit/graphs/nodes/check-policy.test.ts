// What policy says of the whole plan, and what the routing model is asked.
import { describe, expect, test } from "vitest";
import { checkPolicy, matchCategories } from "../../../../graphs/nodes/first-nodes.ts";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../../support/builders.ts";
import {
  type PipelineParts,
  PROCEDURE,
  pinning,
  pipelineParts,
  procedureOf,
  stateOf,
  withCategories,
} from "../../../support/pipeline-parts.ts";

const BLOCKED = procedureOf([cmd("true"), cmd("rm -rf /"), check("true")]);
const ASKING = procedureOf(PROCEDURE.steps, { safety_level: "approval_required" });

const findingsOn = async ({ journalOf }: PipelineParts) => (await journalOf()).projection.findings;

describe("check_policy", () => {
  test("leaves a plan undecided where the contract lists categories, and notes nothing yet", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(withCategories("restarts"), pinning());
    expect(await checkPolicy(parts.deps)(stateOf({ contract }))).toEqual({ permission: "undecided" });
    expect((await parts.journalOf()).events.at(-1)?.kind).toBe("sop_pinned");
    const asking = pipelineParts();
    await asking.begin(withCategories("restarts"), pinning(ASKING));
    expect(await checkPolicy(asking.deps)(stateOf({ contract }))).toEqual({ permission: "undecided" });
  });

  test("asks where a rule asks, with no reason of a block", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning(ASKING));
    expect(await checkPolicy(parts.deps)(stateOf({ contract }))).toEqual({ permission: "ask" });
    expect(await findingsOn(parts)).toMatchObject([{ code: "safety.approval_required" }]);
  });

  test.each([[[]], [["restarts"]]])(
    "denies a blocked plan for good, and with the categories %j asks no model about it",
    async (categories) => {
      const parts = pipelineParts();
      const contract = await parts.begin(withCategories(...categories), pinning(BLOCKED));
      const reason = {
        reason_code: "always_blocked",
        step_index: 1,
        message: expect.stringMatching(/^Step 1: deletes/),
      };
      expect(await checkPolicy(parts.deps)(stateOf({ contract }))).toEqual({ permission: "deny", reason });
      expect(await findingsOn(parts)).toMatchObject([{ code: "rm.wide", verdict: "block" }]);
      expect(parts.asked).toEqual([]);
    },
  );

  test.each([
    ["outside_scope", aContract(), [mcpCall({ server: "tickets" }), check("true")], false],
    [
      "outside_scope",
      aContract({ constraints: { implicit_scope: ["cmd:grep"], require_approval_for: [], max_minutes: 1 } }),
      [cmd("docker ps"), check("grep x")],
      false,
    ],
    [
      "parameter_unknown",
      aContract({ constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 } }),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
      [mcpCall({ arguments: { title: "${payload.nothing}" } }), check("true")],
      false,
    ],
    ["engine_reference", aContract(), [cmd("$var:f/secret"), check("true")], true],
    ["read_only_intent", aContract({ intent: "triage" }), [cmd("touch x"), check("true")], false],
  ] as const)("gives the reason %s its own code", async (reason_code, contract, steps, remote) => {
    const parts = pipelineParts({ remote });
    await parts.begin(contract, pinning(procedureOf(steps, { sop_id: null })));
    expect(await checkPolicy(parts.deps)(stateOf({ contract }))).toMatchObject({
      permission: "deny",
      reason: { reason_code },
    });
  });
});

describe("what tool servers say of a plan that is undecided", () => {
  const looking = aContract({
    intent: "triage",
    constraints: { implicit_scope: ["notes"], require_approval_for: ["restarts"], max_minutes: 1 },
  });
  const CALL = procedureOf([mcpCall(), check("true")], { sop_id: null, safety_level: "approval_required" });

  test("is noted, and counts once beside what the rules say when the categories are matched", async () => {
    const parts = pipelineParts();
    const deps = {
      ...parts.deps,
      toolServers: { ...parts.deps.toolServers, effectOf: async () => "unknown" as const },
    };
    const contract = await parts.begin(looking, pinning(CALL));
    expect(await checkPolicy(deps)(stateOf({ contract }))).toEqual({ permission: "undecided" });
    const codes = async () => (await findingsOn(parts)).map(({ code }) => code).sort();
    const both = ["safety.approval_required", "tool.unknown_effect"];
    expect(await codes()).toEqual(both);
    expect(await matchCategories(deps)(stateOf({ contract }))).toEqual({ permission: "ask" });
    expect(await codes()).toEqual(both);
  });
});

describe("match_categories", () => {
  test("asks the model about each command, check and call once, and about no wait", async () => {
    const parts = pipelineParts();
    const steps = [cmd("a"), wait("1s"), mcpCall(), cmd("a"), check("b")];
    const contract = await parts.begin(withCategories("restarts"), pinning(procedureOf(steps)));
    await matchCategories(parts.deps)(stateOf({ contract }));
    expect(parts.asked).toEqual(["a", "notes.create_note {}", "b"]);
  });

  test("asks a model that has failed no more, and takes the rest of the plan for undecided", async () => {
    const parts = pipelineParts({ category: (command) => (command === "b" ? "fails" : { requires_approval: false }) });
    const steps = ["a", "b", "c"].map(cmd);
    const contract = await parts.begin(withCategories("restarts"), pinning(procedureOf(steps)));
    expect(await matchCategories(parts.deps)(stateOf({ contract }))).toEqual({ permission: "ask" });
    expect(parts.asked).toEqual(["a", "b"]);
    const reason = "No usable answer of a routing model says that this needs no approval, so it does.";
    const undecided = { verdict: "ask", code: "category.undecided", category: null, reason };
    expect(await findingsOn(parts)).toMatchObject([
      { ...undecided, step_index: 1, command: "b" },
      { ...undecided, step_index: 2, command: "c" },
    ]);
  });
});

describe("without an answer of the judge", () => {
  test.each([
    ["check_policy", checkPolicy],
    ["match_categories", matchCategories],
    ["run_steps", runSteps],
  ])("%s allows nothing and runs nothing", async (_name, node) => {
    const parts = pipelineParts({ over: { judge: () => Promise.reject(new Error("no answer")) } });
    const contract = await parts.begin(aContract(), pinning());
    await expect(node(parts.deps)(stateOf({ contract }))).rejects.toThrow("no answer");
    expect((await parts.journalOf()).events.at(-1)?.kind).toBe("sop_pinned");
    expect(parts.requests).toEqual([]);
  });
});
