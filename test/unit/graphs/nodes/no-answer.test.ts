import { describe, expect, test } from "vitest";
import { checkPolicy, matchCategories } from "../../../../graphs/nodes/first-nodes.ts";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import { aContract } from "../../../support/builders.ts";
import { pinning, pipelineParts, stateOf } from "../../../support/pipeline-parts.ts";

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
