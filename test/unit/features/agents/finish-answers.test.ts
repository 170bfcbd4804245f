// What finish answers an agent whose checks do not count yet, and what its checks are worth.
import { describe, expect, test } from "vitest";
import type { Examination } from "../../../../src/domain/proof.ts";
import { WITHOUT_A_WORLD } from "../../../../src/engine/tasks/check-looks.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { agentProofs, judgeFinish } from "../../../../src/features/agents/finish.ts";
import { agentJournal, changed, checked } from "../../../support/agent-journal.ts";
import { GREEN, runAgent } from "../../../support/agent-run.ts";

type Replies = Parameters<typeof runAgent>[0]["replies"];
type Asked = Replies[number];

const CHECK = "grep -q 8080 app.conf";
const CHANGE = "sed -i s/8000/8080/ app.conf";
const WEAK = "grep -q port app.conf";
const MARKER = "test -f .done";
const PORT = "the port is 8080";
const over = { success_criteria: [PORT] };

const shell = (command: string): Asked => ["shell", { command }];
const check = (command: string): Asked => ["shell", { command, check: true }];
const finish = (...checks: string[]): Asked => ["finish", { summary: "Done.", checks }];

/** The check is red until the change was made. */
const untilChanged = () => {
  let isMade = false;
  return (command: string): number => {
    if (command === CHANGE) isMade = true;
    return command === CHECK && !isMade ? 1 : 0;
  };
};
/** It fails on an empty machine and for another target. */
const SHOWN: Examination = {
  ...GREEN,
  control: { answer: "red", exit_code: 1, reason: null, world: "empty", wrote: false },
  decoy: { answer: "red", exit_code: 1, reason: null },
};

type Run = Awaited<ReturnType<typeof runAgent>>;
const statesOf = ({ calls }: Run) => calls.map(({ name, step, state }) => `${step?.kind ?? name} ${state}`);
const refusalIn = ({ calls }: Run) =>
  calls.find(({ name, state }) => name === "finish" && state === "faulty")?.reason ?? "";
function verdictOf(run: Run) {
  const { agent } = run.projection;
  if (agent.finished === null) throw new Error("the run has not finished");
  return judgeFinish(run.calls, agent.finished, run.contract, agentProofs(run.projection));
}
const NOTHING = { passed: false, reason_code: "nothing_verified" };

describe("finish", () => {
  test("is refused with the reason, and the run goes on to one that counts [1.A.5.verification]", async () => {
    const replies: Replies = [check(CHECK), finish("true"), shell(CHANGE), finish(CHECK)];
    const run = await runAgent({ replies, exits: untilChanged(), over });
    expect(run.next).toEqual({ is: "finished" });
    const [looked, made] = ["check ended", "cmd ended"];
    expect(statesOf(run)).toEqual([looked, looked, "finish faulty", made, looked, "finish ended"]);
    expect(refusalIn(run)).toMatch(/^not finished\. criterion 1 .*"true" does not count: it also passes/);
  });

  test("is final the third time, with the checks that do not count, each examined once", async () => {
    const run = await runAgent({ replies: [check("true"), finish("true")], over });
    expect(statesOf(run).slice(1)).toEqual(["finish faulty", "finish faulty", "finish ended"]);
    const checks = [{ passed: false, proof: { class: "unproved" } }];
    expect([run.next, verdictOf(run)]).toMatchObject([{ is: "finished" }, { passed: false, checks }]);
    expect(run.examined).toHaveLength(1);
  });

  test("with done false is final at once, and nothing is examined", async () => {
    const given = { summary: "It cannot be done.", checks: [CHECK], done: false };
    const run = await runAgent({ replies: [check(CHECK), ["finish", given]], over });
    expect([run.next, run.examined]).toEqual([{ is: "finished" }, []]);
  });

  test("examines a check as one of an agent, with the commands that changed something", async () => {
    const { examined } = await runAgent({ replies: [check(CHECK), shell(CHANGE), finish(CHECK)], over });
    expect(examined).toMatchObject([{ text: CHECK, decoy_on: "confined", commands: [CHANGE] }]);
  });

  const BEFORE = "it was true before your first change";
  const place = { target: { service: "web", compose_dir: "/srv/w" } };
  const redOnce = (command: string, runs: number): number => (command === MARKER && runs === 1 ? 1 : 0);
  test.each<[string, Replies, string, Partial<Parameters<typeof runAgent>[0]>?]>([
    ["promises 3.6: was true before", [check(WEAK), shell("touch x"), check(WEAK), finish(WEAK)], BEFORE],
    ["promises 3.6: was true before, run by orch", [check(WEAK), shell("touch x"), finish(WEAK)], BEFORE],
    ["promises 3.6: was true, with blanks", [check(` ${WEAK}`), shell("touch x"), finish(`${WEAK} `)], BEFORE],
    ["promises 3.6: was true, without the flag", [check(WEAK), shell("touch x"), shell(WEAK), finish(WEAK)], BEFORE],
    ["promises 3.6: two changes after it", [check(WEAK), shell("touch x"), shell("touch y"), finish(WEAK)], BEFORE],
    ["promises 3.6: was named last", [check(WEAK), shell("touch x"), finish(), finish(), finish(WEAK)], ""],
    [
      "promises 3.6: looks at a marker that the agent made",
      [check(MARKER), shell("touch .done"), finish(MARKER)],
      'it looks only at ".done", which you made',
      { exits: redOnce, examination: GREEN },
    ],
    [
      "promises 3.6: looks at a file that it left as it was",
      [check(CHECK), shell("touch note"), finish("test -s app.conf")],
      'it looks only at "app.conf", which you have not changed',
      { over: { ...over, ...place } },
    ],
    [
      "promises 3.2: has a line that decides nothing",
      [check(CHECK), shell(CHANGE), finish(`grep -qx up health.txt; ${CHECK}`)],
      "not every line of it counts: line 1 decides nothing",
    ],
  ])("does not count with a check that %s, and the agent hears why", async (_, replies, why, more) => {
    const run = await runAgent({ replies, exits: untilChanged(), examination: SHOWN, over, ...more });
    expect(refusalIn(run)).toContain(why);
    expect(verdictOf(run)).toMatchObject(NOTHING);
  });

  test.each<[string, Replies, string[]]>([
    ["another check failed before it", [check(CHECK), shell(CHANGE), finish(CHECK)], [PORT]],
    [
      "it stays true beside one that became true",
      [check(CHECK), check(WEAK), shell(CHANGE), finish(CHECK, WEAK)],
      [PORT, "a port is set"],
    ],
    ["nothing was changed", [check(WEAK), finish(WEAK)], ["a port is set"]],
    ["the agent names another one then", [check(WEAK), shell(CHANGE), finish(WEAK), finish(CHECK)], [PORT]],
    [
      "a marker gives way to a check of the goal",
      [check(CHECK), shell(CHANGE), shell("touch .done"), finish(MARKER), finish(CHECK)],
      [PORT],
    ],
  ])("is verified where it is honest: %s", async (_, replies, success_criteria) => {
    const run = await runAgent({ replies, exits: untilChanged(), examination: SHOWN, over: { success_criteria } });
    expect(verdictOf(run)).toMatchObject({ passed: true, reason_code: "verified" });
  });

  test("stays as it was where its agent, of an earlier version, did not hear so", () => {
    const { agent } = projection(agentJournal([[checked(WEAK)], [changed("touch x")], [checked(WEAK)]]));
    const done = { summary: "Done.", done: true, criteria: [{ criterion: 1, evidence_check: WEAK }] };
    expect(judgeFinish(agent.calls, done, { intent: "deploy", success_criteria: [] }).passed).toBe(true);
  });
});

describe("checks are asked for", () => {
  const FIRST = expect.stringContaining("not made yet: first run the check of each success criterion");
  const ended = { state: "ended", reason: null };

  test.each<[string, Replies, object[]]>([
    ["once", [shell(CHANGE), shell(CHANGE), shell("touch other")], [{ state: "faulty", reason: FIRST }, ended, ended]],
    [
      "neither for a call that looks nor in the place of a refusal",
      [shell("ls"), shell("rm -rf /usr"), shell(CHANGE)],
      [ended, { state: "refused" }, { reason: FIRST }],
    ],
  ])("before the first change, which is then made: %s", async (_, replies, wanted) => {
    const { calls } = await runAgent({ replies: [...replies, finish(CHECK)], over });
    expect(calls.slice(0, 3)).toMatchObject(wanted);
  });

  test.each<[string, Parameters<typeof runAgent>[0]]>([
    ["after a check", { replies: [check(CHECK), shell(CHANGE), finish(CHECK)], over }],
    ["without criteria", { replies: [shell(CHANGE), finish(CHECK)], over: { success_criteria: [] } }],
    ["with looks off", { replies: [shell(CHANGE), finish(CHECK)], examination: null, over }],
  ])("never %s", async (_when, options) => {
    const { calls } = await runAgent(options);
    expect(calls.filter(({ reason }) => reason?.startsWith("not made yet"))).toEqual([]);
  });
});

describe("what a check of an agent is worth", () => {
  type Made = Parameters<typeof agentJournal>[0][number];
  const red = { result: { status: "failed" as const, exit_code: 1 } };
  const absent = { result: { status: "failed" as const, exit_code: 127 } };
  const lost = { result: { status: "outcome_unknown" as const, exit_code: 1 } };
  const wrote = { ...GREEN, control: { ...GREEN.control, wrote: true } };
  const expecting = (equals: string, more: object = {}): Made[number] => ({
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
    ...more,
  });
  const on = expecting("on");
  const proofOf = (made: Made, examination: Examination) => {
    const index = made.length - 1;
    const checks = [{ step_index: index, ...examination }];
    const state = projection(agentJournal([made], { kind: "checks_examined", body: { checks } }));
    const call = state.agent.calls[index];
    return call && agentProofs(state)(call);
  };
  const [PROVED, UNPROVED] = ["proved [before]", "unproved []"];
  const NOT_POSSIBLE = "not_possible []";

  test.each<[string, Made, string, (string | undefined)?, Examination?]>([
    [
      "red before the change, green after it",
      [checked(CHECK, red), changed(CHANGE), checked(CHECK)],
      PROVED,
      "became_true",
    ],
    ["green before", [checked(CHECK), changed(CHANGE), checked(CHECK)], UNPROVED, "was_true_already"],
    ["not run before", [changed(CHANGE), checked(CHECK)], UNPROVED, "not_looked_at"],
    ["red only after", [changed(CHANGE), checked(CHECK, red), checked(CHECK)], UNPROVED, "not_looked_at"],
    ["another was red", [checked("test -e x", red), changed(CHANGE), checked(CHECK)], UNPROVED, "not_looked_at"],
    ["could not be run", [checked(CHECK, absent), changed(CHANGE), checked(CHECK)], UNPROVED, "not_looked_at"],
    ["it writes", [checked(CHECK, red), changed(CHANGE), checked(CHECK)], "cannot_tell []", undefined, wrote],
    ["T8: a call, red before", [expecting("on", red), changed(CHANGE), on], PROVED, undefined, WITHOUT_A_WORLD],
    ["T8: a call, not made before", [changed(CHANGE), on], NOT_POSSIBLE, undefined, WITHOUT_A_WORLD],
    ["T8: another call, red", [expecting("off", red), changed(CHANGE), on], NOT_POSSIBLE, undefined, WITHOUT_A_WORLD],
    [
      "T8: a call that did not arrive before",
      [expecting("on", { result: { ...red.result, never_sent: true } }), changed(CHANGE), on],
      NOT_POSSIBLE,
      undefined,
      WITHOUT_A_WORLD,
    ],
    [
      "T8: a call without an answer",
      [expecting("on", lost), changed(CHANGE), on],
      NOT_POSSIBLE,
      undefined,
      WITHOUT_A_WORLD,
    ],
  ])("%s: %s", (_why, made, worth, change, examination = GREEN) => {
    const proof = proofOf(made, examination);
    expect(`${proof?.class} [${proof?.seen_red}]`).toBe(worth);
    if (change !== undefined) expect(proof?.change).toBe(change);
  });

  test("is enough when it is sensitive for an intent that only looks, and not for one that changes", () => {
    const sensitive = { ...GREEN, control: { ...GREEN.control, answer: "red" as const, exit_code: 1 } };
    const checks = [{ step_index: 0, ...sensitive }];
    const state = projection(agentJournal([[checked(CHECK)]], { kind: "checks_examined", body: { checks } }));
    const done = { summary: "done", criteria: [{ criterion: 1, evidence_check: CHECK }], done: true };
    const passed = (intent: string) =>
      judgeFinish(state.agent.calls, done, { intent, ...over }, agentProofs(state)).passed;
    expect([passed("health_check"), passed("deploy")]).toEqual([true, false]);
  });
});
