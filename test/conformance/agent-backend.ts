// What every agent backend keeps, with a scripted model on a real server, real commands and
// real tool servers: nothing runs that policy or a human has not let run, and done is what a check has proved.
import { describe, expect, test } from "vitest";
import { verifyBundle } from "../../src/engine/evidence/verify/bundle.ts";
import { check, done, run } from "../support/agent-engine.ts";
import * as model from "../support/agent-model.ts";
import { agentHumansSuite, agentScopeSuite } from "./agent-backend-humans.ts";
import { agentModelsSuite } from "./agent-backend-models.ts";
import { type AgentBackendUnderTest, suiteOf, toldIn, write, written } from "./agent-backend-trial.ts";

const GIVES_UP = model.calls([
  "finish",
  { summary: "I could not.", criteria: [{ criterion: 1, evidence_check: "test -s made" }], done: false },
]);

export function agentBackendSuite(name: string, under: AgentBackendUnderTest): void {
  const suite = suiteOf(under);
  const { carryOut } = suite;

  describe(`agent backend ${name}`, () => {
    test("does what it decides, proves it, and ends ok with all of it on record [1.A.5.agent_lifecycle] [1.A.5.agent_backend] [1.A.6.agents]", async () => {
      const script: model.Script = [
        model.calls(write("one")),
        model.calls(written),
        done(["it is written", "test -s made"]),
      ];
      const { view, evidence, made, asked } = await carryOut(script, { success_criteria: ["it is written"] });
      expect(view).toMatchObject({
        status: "ok",
        outcome: { reason_code: "verified", message: expect.stringContaining("It is done.") },
        result: { summary: "It is done." },
        steps: [
          { kind: "cmd", command: "echo one >> made", status: "passed", exit_code: 0 },
          { kind: "check", status: "passed" },
        ],
      });
      expect(made).toEqual(["one"]);
      expect(evidence.verdict).toMatchObject({ passed: true, checks: [{ criterion: "it is written", step_index: 1 }] });
      expect(evidence.agent_turns).toHaveLength(3);
      expect(evidence.agent_calls).toMatchObject([{ state: "ended", effect: "changes" }, { effect: "reads" }, {}]);
      expect(evidence.executed_commands).toEqual(["echo one >> made", "test -s made"]);
      expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
      expect(asked).toHaveLength(3);
      expect(asked[0]?.tools.map((tool) => tool.function.name).sort()).toEqual(["edit_file", "finish", "shell"]);
      expect(asked[0]?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    });

    test("makes the calls of one reply in their order, and returns each its answer", async () => {
      const script: model.Script = [model.calls(write("one"), write("two"), check("test -s made")), done()];
      const { view, made, asked } = await carryOut(script);
      expect(view.status).toBe("ok");
      expect(made).toEqual(["one", "two"]);
      expect(toldIn(asked)).toMatchObject([{ call: 0, exit_code: 0 }, { call: 1 }, { call: 2, is: "check" }]);
    });

    test("reports to the agent a call that is none, and goes on", async () => {
      const script: model.Script = [
        model.malformed("shell", '{"command": "echo'),
        model.calls(["shell", { cmd: "echo one" }]),
        model.calls(["make_coffee", {}]),
        model.calls(write("one"), written),
        done(),
      ];
      const { view, made, asked } = await carryOut(script);
      expect(view.status).toBe("ok");
      expect(made).toEqual(["one"]);
      expect(toldIn(asked).map(({ not_a_call }) => not_a_call)).toEqual([
        expect.stringContaining("shell"),
        expect.stringContaining("command"),
        expect.stringContaining('there is no tool "make_coffee"; there are finish, shell, edit_file'),
        undefined,
        undefined,
      ]);
    });

    test("refuses what is always blocked with the reason as its answer, so that it can do otherwise [5.policy.destructive]", async () => {
      const script: model.Script = [model.calls(run("rm -rf /usr")), model.calls(write("one"), written), done()];
      const { view, evidence, asked } = await carryOut(script);
      expect(view.status).toBe("ok");
      expect(toldIn(asked)[0]).toMatchObject({ call: 0, refused: expect.stringContaining("deletes /usr") });
      expect(evidence.agent_calls[0]).toMatchObject({
        state: "refused",
        findings: [{ code: "rm.wide" }],
        result: null,
      });
      expect(evidence.executed_commands).not.toContain("rm -rf /usr");
    });

    test("is blocked by refused calls in three replies in a row, and no later call is run [5.policy.destructive]", async () => {
      const script: model.Script = [
        model.calls(run("rm -rf /"), run("rm -rf /usr")),
        model.calls(run("git reset --hard")),
        model.calls(["shell", { command: "rm -rf ~" }], write("one")),
      ];
      const { view, made } = await carryOut(script);
      expect(view).toMatchObject({
        status: "blocked",
        label: "BLOCKED",
        outcome: { reason_code: "agent_refused", findings: [{ verdict: "block" }] },
      });
      expect(made).toEqual([]);
    });

    test.each<[string, model.Script]>([
      ["says that it is done", [model.calls(write("one")), done(["it is written", "it works, trust me"])]],
      ["says that it could not do it", [model.calls(write("one"), written), GIVES_UP]],
      ["names a check that fails", [model.calls(write("one")), done([1, "test ! -s made"])]],
    ])("fails as unproved when it %s [1.A.5.verification]", async (_how, script) => {
      const { view, evidence } = await carryOut(script, { success_criteria: ["it is written"] });
      expect(view).toMatchObject({ status: "failed", outcome: { reason_code: "nothing_verified" } });
      expect(evidence.verdict).toMatchObject({ passed: false, uncovered_criteria: ["it is written"] });
      expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
    });

    test("hears why its finish does not count, and the third finish is final [1.A.5.verification]", async () => {
      const goal = { success_criteria: ["it is written"] };
      const { view, evidence, asked } = await carryOut([model.calls(write("one")), done([1, "test ! -s made"])], goal);
      expect(view).toMatchObject({ status: "failed", outcome: { reason_code: "nothing_verified" } });
      const reason = expect.stringContaining('the check "test ! -s made" does not count: it exited with 1');
      const finishes = evidence.agent_calls.filter(({ name }: { name: string }) => name === "finish");
      expect(finishes).toMatchObject([{ state: "faulty", reason }, { state: "faulty", reason }, { reason: null }]);
      expect(toldIn(asked).filter(({ not_a_call }) => not_a_call !== undefined)).toMatchObject([
        { not_a_call: reason },
        { not_a_call: reason },
      ]);
    });

    test("goes on after a finish that does not count, and ends ok with one that does", async () => {
      const script: [model.Turn, ...model.Turn[]] = [
        model.calls(write("one")),
        done([1, "grep two made"]),
        model.calls(write("two")),
        done([1, "grep two made"]),
      ];
      const { view, made } = await carryOut(script, { success_criteria: ["it is written"] });
      expect(view).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
      expect(made).toEqual(["one", "two"]);
    });

    test.each<[string, model.Turn]>([
      ["refused", model.calls(run("rm -rf /usr"), ["finish", { summary: "Done." }])],
      ["none", model.calls(["make_coffee", {}], ["finish", { summary: "Done." }])],
    ])("is not over before it has heard that a call beside finish was %s", async (_what, turn) => {
      const { view, asked } = await carryOut([model.calls(write("one"), written), turn, done()]);
      expect(view.status).toBe("ok");
      expect(toldIn(asked).at(-1)).toMatchObject({
        not_a_call: expect.stringContaining("not finished: call 2 was not made"),
      });
    });

    test.each<[string, model.Script]>([
      ["changed something after it", [model.calls(written, write("one")), done([1, "0"])]],
      [
        "had run it before, and in the same reply changes something",
        [
          model.calls(write("one"), written),
          model.calls(write("two"), [
            "finish",
            { summary: "Done.", criteria: [{ criterion: 1, evidence_check: "test -s made" }] },
          ]),
        ],
      ],
    ])("has a check run again when it %s", async (_how, script) => {
      const { view, evidence } = await carryOut(script, { success_criteria: ["it is written"] });
      expect(view.status).toBe("ok");
      const checks = evidence.agent_calls.filter(({ added }: { added: boolean }) => added);
      expect(checks).toMatchObject([{ step: { value: "test -s made" }, result: { exit_code: 0 } }]);
    });

    test("has a check run that finish names and that has not passed since the last change", async () => {
      const { view, evidence } = await carryOut([model.calls(write("one")), done([1, "grep -q one made"])], {
        success_criteria: ["it is written"],
      });
      expect(view.status).toBe("ok");
      expect(evidence.agent_calls[1]).toMatchObject({
        added: true,
        step: { kind: "check", value: "grep -q one made" },
      });
    });
  });

  if (under.models !== "one") agentModelsSuite(name, suite);
  agentHumansSuite(name, suite);
  agentScopeSuite(name, suite);
}
