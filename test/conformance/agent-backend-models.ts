// What an agent backend makes of models that are not at their best: silent, cut off, talkative, endless, or writing their calls
// into the text.
import { describe, expect, test } from "vitest";
import { done, run } from "../support/agent-engine.ts";
import * as model from "../support/agent-model.ts";
import { type Suite, write, written } from "./agent-backend-trial.ts";

export function agentModelsSuite(name: string, { carryOut }: Suite): void {
  describe(`agent backend ${name} with a model that`, () => {
    const goodEnd = [model.calls(write("one"), written), done()] as const;
    const failing = { AGENT_TIMEOUT_MS: "300" };
    // What is right in time has to be in time on a busy machine too.
    const patient = { AGENT_TIMEOUT_MS: "2000" };

    test.each<[string, model.Turn]>([
      ["is silent", model.isSilent],
      ["is cut off", model.isCut(model.calls(write("cut")))],
      ["breaks off", model.resets],
      ["answers with an error", model.refuses(500, "out of memory")],
      ["thinks aloud and calls nothing", model.says("I should write one into the file.")],
    ])("%s once is asked again, and what it did not say whole is not done", async (_what, turn) => {
      const { view, made } = await carryOut([turn, ...goodEnd], {}, patient);
      expect(view.status).toBe("ok");
      expect(made).toEqual(["one"]);
    });

    test.each<[string, model.Turn, string]>([
      ["is silent for good", model.isSilent, "model_unavailable"],
      ["is gone for good", model.refuses(503, "busy"), "model_unavailable"],
      ["cannot call tools", model.refuses(400, { error: "agent:8b does not support tools" }), "model_unavailable"],
    ])("%s ends the task failed", async (_what, turn, reason_code) => {
      const { view, evidence } = await carryOut([turn], {}, failing);
      expect(view).toMatchObject({ status: "failed", outcome: { reason_code } });
      expect(evidence.agent_turns.length).toBeLessThanOrEqual(6);
    });

    test("never finishes is stopped by the limits of the server", async () => {
      const { view } = await carryOut(
        (_request, turn) => model.calls(run(`echo ${turn}`)),
        {},
        { AGENT_MAX_TURNS: "4" },
      );
      expect(view).toMatchObject({ status: "failed", outcome: { reason_code: "agent_turns_spent" } });
    });

    test("thinks has that on record, and apart from what it says", async () => {
      const { evidence } = await carryOut([model.thinks("First I write.", model.calls(write("one"), written)), done()]);
      expect(evidence.agent_turns[0]).toMatchObject({ thinking: "First I write.", text: "" });
    });
  });
}
