// What the servers of tools say when a plan is about to run counts for the steps that are left, and for no other (D-187).
import { expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import { aContract, aResult, mcpCall } from "../../../support/builders.ts";
import { pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";

const looks = mcpCall({ tool: "get", expect: { path: "", equals: 1 } });
const TAUGHT = procedureOf([looks], { sop_id: null, sop_version: null });

/** A server that says nothing of its tool any more. */
const silent = ({ deps }: ReturnType<typeof pipelineParts>) => ({
  ...deps,
  toolServers: { ...deps.toolServers, effectOf: async () => "unknown" as const },
});

test("a plan of which every step has run has completed, without another question", async () => {
  const parts = pipelineParts();
  const contract = await parts.begin(
    aContract(),
    pinning(TAUGHT),
    { kind: "step_started", body: { index: 0, attempt: 1 } },
    { kind: "step_finished", body: aResult({ index: 0, kind: "mcp_call" }) },
  );
  expect(await runSteps(silent(parts))(stateOf({ contract }))).toEqual({ execution: "completed" });
  expect(parts.requests).toEqual([]);
});

test("a plan with a step left does not run when its tool is not marked any more", async () => {
  const parts = pipelineParts();
  const contract = await parts.begin(aContract(), pinning(TAUGHT));
  expect(await runSteps(silent(parts))(stateOf({ contract }))).toMatchObject({ execution: "unapproved" });
  expect(parts.requests).toEqual([]);
});
