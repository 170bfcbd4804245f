import { describe, expect, test } from "vitest";
import { WITHOUT_A_WORLD } from "../../../../src/engine/tasks/check-looks.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { agentProofs, judgeFinish } from "../../../../src/features/agents/finish.ts";
import { agentJournal, changed, checked } from "../../../support/agent-journal.ts";
import { GREEN, runAgent } from "../../../support/agent-run.ts";

const CHECK = "grep -q 8080 app.conf";
const CHANGE = "sed -i s/8000/8080/ app.conf";
const over = { success_criteria: ["the port is 8080"] };

const shell = (command: string, check = false) => ["shell", { command, ...(check && { check }) }] as const;
const finish = (...checks: string[]) => ["finish", { summary: "Done.", checks }] as const;
const FIRST = expect.stringContaining("not made yet: first run the check of each success criterion");

/** The check is red until the change was made. */
const untilChanged = () => {
  let isMade = false;
  return (command: string): number => {
    if (command === CHANGE) isMade = true;
    return command === CHECK && !isMade ? 1 : 0;
  };
};

const statesOf = ({ calls }: Awaited<ReturnType<typeof runAgent>>) =>
  calls.map(({ name, step, state }) => [step?.kind ?? name, state]);

describe("finish", () => {
  test("is refused with the reason, and the run goes on to one that counts [1.A.5.verification]", async () => {
    const replies = [shell(CHECK, true), finish("true"), shell(CHANGE), finish(CHECK)] as const;
    const run = await runAgent({ replies: [...replies], exits: untilChanged(), over });
    expect(run.next).toEqual({ is: "finished" });
    expect(statesOf(run)).toEqual([
      ...[
        ["check", "ended"],
        ["check", "ended"],
        ["finish", "faulty"],
        ["cmd", "ended"],
        ["check", "ended"],
      ],
      ["finish", "ended"],
    ]);
    expect(run.calls[2]?.reason).toMatch(/^not finished\. criterion 1 .*"true" does not count: it also passes/);
  });

  test("is final the third time, with the checks that do not count", async () => {
    const run = await runAgent({ replies: [shell("true", true), finish("true")], over });
    expect(run.next).toEqual({ is: "finished" });
    expect(statesOf(run).slice(1)).toEqual([
      ["finish", "faulty"],
      ["finish", "faulty"],
      ["finish", "ended"],
    ]);
    const { agent } = run.projection;
    if (agent.finished === null) throw new Error("the run has not finished");
    const verdict = judgeFinish(run.calls, agent.finished, run.contract, agentProofs(run.projection));
    expect(verdict).toMatchObject({ passed: false, checks: [{ passed: false, proof: { class: "unproved" } }] });
  });

  test("with done false is final at once, and nothing is examined", async () => {
    const given = { summary: "It cannot be done.", checks: [CHECK], done: false };
    const run = await runAgent({ replies: [shell(CHECK, true), ["finish", given]], over });
    expect(run.next).toEqual({ is: "finished" });
    expect(run.examined).toEqual([]);
  });

  test("examines a check once, as one of an agent, with the commands that changed something", async () => {
    const replies = [shell(CHECK, true), shell(CHANGE), finish(CHECK)] as const;
    const { examined } = await runAgent({ replies: [...replies], over });
    expect(examined).toMatchObject([{ text: CHECK, decoy_on: "confined", commands: [CHANGE] }]);
    const again = await runAgent({ replies: [shell("true", true), finish("true")], over });
    expect(again.examined).toHaveLength(1);
  });
});

describe("checks are asked for", () => {
  test("once before the first change, which is then made", async () => {
    const replies = [shell(CHANGE), shell(CHANGE), shell("touch other"), finish(CHECK)] as const;
    const run = await runAgent({ replies: [...replies], over });
    expect(run.calls.slice(0, 3)).toMatchObject([
      { state: "faulty", reason: FIRST, result: null },
      { state: "ended", reason: null },
      { state: "ended", reason: null },
    ]);
  });

  test.each<[string, Parameters<typeof runAgent>[0]]>([
    ["after a check", { replies: [shell(CHECK, true), shell(CHANGE), finish(CHECK)], over }],
    ["without criteria", { replies: [shell(CHANGE), finish(CHECK)], over: { success_criteria: [] } }],
    ["with looks off", { replies: [shell(CHANGE), finish(CHECK)], examination: null, over }],
  ])("never %s", async (_when, options) => {
    const { calls } = await runAgent(options);
    expect(calls.filter(({ reason }) => reason?.startsWith("not made yet"))).toEqual([]);
  });

  test("neither for a call that looks nor in the place of a refusal", async () => {
    const replies = [shell("ls"), shell("rm -rf /usr"), shell(CHANGE), finish(CHECK)] as const;
    const { calls } = await runAgent({ replies: [...replies], over });
    expect(calls.slice(0, 3)).toMatchObject([{ state: "ended" }, { state: "refused" }, { reason: FIRST }]);
  });
});

describe("what a check of an agent is worth", () => {
  const red = { result: { status: "failed" as const, exit_code: 1 } };
  type Made = Parameters<typeof agentJournal>[0][number];
  const proofOf = (made: Made, index: number, examination = GREEN) => {
    const checks = [{ step_index: index, ...examination }];
    const state = projection(agentJournal([made], { kind: "checks_examined", body: { checks } }));
    const call = state.agent.calls[index];
    return call && agentProofs(state)(call);
  };

  test("proved when it was red before the change and is green after it, though no look was red", () => {
    const made = [checked(CHECK, red), changed(CHANGE), checked(CHECK)];
    expect(proofOf(made, 2)).toMatchObject({ class: "proved", seen_red: ["before"], change: "became_true" });
  });

  test.each<[string, Made, object]>([
    ["green before", [checked(CHECK), changed(CHANGE), checked(CHECK)], { change: "was_true_already" }],
    ["not run before", [changed(CHANGE), checked(CHECK)], { change: "not_looked_at" }],
    ["red only after", [changed(CHANGE), checked(CHECK, red), checked(CHECK)], { change: "not_looked_at" }],
    ["another was red", [checked("test -e x", red), changed(CHANGE), checked(CHECK)], { change: "not_looked_at" }],
    [
      "it could not be run",
      [checked(CHECK, { result: { status: "failed", exit_code: 127 } }), changed(CHANGE), checked(CHECK)],
      { change: "not_looked_at" },
    ],
  ])("unproved when %s", (_why, made, seen) => {
    expect(proofOf(made, made.length - 1)).toMatchObject({ class: "unproved", seen_red: [], ...seen });
  });

  describe("T8: of a call of a tool with expect", () => {
    const expecting = (equals: string, over: object = {}): Made[number] => ({
      name: "home__get_state",
      step: {
        kind: "mcp_call",
        value: "",
        server: "home",
        tool: "get_state",
        arguments: { id: "pump" },
        expect: { path: "/state", equals },
      },
      effect: "reads",
      judged: "allow",
      result: {},
      ...over,
    });

    test.each<[string, Made, object]>([
      ["proved when it was red before", [expecting("on", red)], { class: "proved", seen_red: ["before"] }],
      ["not possible when it did not run before", [], { class: "not_possible", seen_red: [] }],
      ["not possible when another was red", [expecting("off", red)], { class: "not_possible", seen_red: [] }],
      [
        "not possible when its call did not arrive before",
        [expecting("on", { result: { ...red.result, never_sent: true } })],
        { class: "not_possible", seen_red: [] },
      ],
      [
        "not possible when it got no answer before",
        [expecting("on", { result: { status: "outcome_unknown", exit_code: 1 } })],
        { class: "not_possible", seen_red: [] },
      ],
    ])("%s", (_what, before, worth) => {
      const made = [...before, changed(CHANGE), expecting("on")];
      expect(proofOf(made, made.length - 1, WITHOUT_A_WORLD)).toMatchObject(worth);
    });
  });

  test("no red run counts of a check that writes", () => {
    const made = [checked(CHECK, red), changed(CHANGE), checked(CHECK)];
    const wrote = { ...GREEN, control: { ...GREEN.control, wrote: true } };
    expect(proofOf(made, 2, wrote)).toMatchObject({ class: "cannot_tell", seen_red: [] });
  });
});

test("a sensitive check is enough for an intent that only looks, and not for one that changes", () => {
  const sensitive = { ...GREEN, control: { ...GREEN.control, answer: "red" as const, exit_code: 1 } };
  const state = projection(
    agentJournal([[checked(CHECK)]], {
      kind: "checks_examined",
      body: { checks: [{ step_index: 0, ...sensitive }] },
    }),
  );
  const passed = (intent: string) =>
    judgeFinish(
      state.agent.calls,
      { summary: "done", criteria: [{ criterion: 1, evidence_check: CHECK }], done: true },
      { intent, ...over },
      agentProofs(state),
    ).passed;
  expect([passed("health_check"), passed("deploy")]).toEqual([true, false]);
});
