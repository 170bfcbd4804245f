// Checks of an agent that pass and show nothing of what it did, and what the verdict makes of them.
import { describe, expect, test } from "vitest";
import type { Examination } from "../../../../src/domain/proof.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { agentProofs, judgeFinish } from "../../../../src/features/agents/finish.ts";
import { agentJournal, changed, checked } from "../../../support/agent-journal.ts";
import { GREEN, runAgent } from "../../../support/agent-run.ts";

const CHECK = "grep -q 8080 app.conf";
const CHANGE = "sed -i s/8000/8080/ app.conf";
const over = { success_criteria: ["the port is 8080"] };

const shell = (command: string, check = false) => ["shell", { command, ...(check && { check }) }] as const;
const finish = (...checks: string[]) => ["finish", { summary: "Done.", checks }] as const;

/** The check is red until the change was made. */
const untilChanged = () => {
  let isMade = false;
  return (command: string): number => {
    if (command === CHANGE) isMade = true;
    return command === CHECK && !isMade ? 1 : 0;
  };
};

function verdictOf(run: Awaited<ReturnType<typeof runAgent>>) {
  const { agent } = run.projection;
  if (agent.finished === null) throw new Error("the run has not finished");
  return judgeFinish(run.calls, agent.finished, run.contract, agentProofs(run.projection));
}

/** It fails on an empty machine and for another target. */
const SHOWN: Examination = {
  ...GREEN,
  control: { answer: "red", exit_code: 1, reason: null, world: "empty", wrote: false },
  decoy: { answer: "red", exit_code: 1, reason: null },
};

describe("promises 3.6: a check that was true before the first change", () => {
  const WEAK = "grep -q port app.conf";

  test.each([
    ["the same change and check again", [shell(WEAK, true), shell("touch x"), shell(WEAK, true), finish(WEAK)]],
    ["run by orch at the end", [shell(WEAK, true), shell("touch x"), finish(WEAK)]],
    ["with blanks around it", [shell(` ${WEAK}`, true), shell("touch x"), finish(`${WEAK} `)]],
    ["as a command without the flag", [shell(WEAK, true), shell("touch x"), shell(WEAK), finish(WEAK)]],
    ["after two other changes", [shell(WEAK, true), shell("touch x"), shell("touch y"), finish(WEAK)]],
  ] as const)("does not count: %s", async (_, [first, ...others]) => {
    const run = await runAgent({ replies: [first, ...others], examination: SHOWN, over });
    const refused = run.calls.filter(({ name, state }) => name === "finish" && state === "faulty");
    expect(refused[0]?.reason).toContain("it was true before your first change");
    expect(verdictOf(run)).toMatchObject({ passed: false, reason_code: "nothing_verified" });
  });

  test("is said once where the finish before was refused for another reason", async () => {
    const replies = [shell(WEAK, true), shell("touch x"), finish(), finish(), finish(WEAK)];
    const [first, ...others] = replies as [(typeof replies)[0], ...typeof replies];
    const run = await runAgent({ replies: [first, ...others], examination: SHOWN, over });
    expect(verdictOf(run).passed).toBe(false);
  });

  test.each([
    ["another check failed before it", [shell(CHECK, true), shell(CHANGE), finish(CHECK)], ["the port is 8080"]],
    [
      "it stays true beside one that became true",
      [shell(CHECK, true), shell(WEAK, true), shell(CHANGE), finish(CHECK, WEAK)],
      ["the port is 8080", "a port is set"],
    ],
    ["nothing was changed", [shell(WEAK, true), finish(WEAK)], ["a port is set"]],
    [
      "the agent names another one then",
      [shell(WEAK, true), shell(CHANGE), finish(WEAK), finish(CHECK)],
      ["it is 8080"],
    ],
  ] as const)("an honest finish is verified: %s", async (_, [first, ...others], success_criteria) => {
    const replies = [first, ...others] as const;
    const run = await runAgent({
      replies: [...replies],
      exits: untilChanged(),
      examination: SHOWN,
      over: { success_criteria },
    });
    expect(verdictOf(run)).toMatchObject({ passed: true, reason_code: "verified" });
  });

  test("a verdict of an earlier version, whose agent did not hear so, stays as it was", () => {
    const calls = [[checked(WEAK)], [changed("touch x")], [checked(WEAK)]];
    const { agent } = projection(agentJournal(calls));
    const goal = { intent: "deploy", success_criteria: [] };
    const done = { summary: "Done.", done: true, criteria: [{ criterion: 1, evidence_check: WEAK }] };
    expect(judgeFinish(agent.calls, done, goal).passed).toBe(true);
  });
});

describe("promises 3.6: a marker that the agent made itself", () => {
  const MARKER = "test -f .done";
  const RED_BEFORE = (command: string, runs: number): number => (command === MARKER && runs === 1 ? 1 : 0);

  test("is no evidence, and the agent hears why", async () => {
    const replies = [shell(MARKER, true), shell("touch .done"), finish(MARKER)] as const;
    const run = await runAgent({ replies: [...replies], exits: RED_BEFORE, over });
    const refused = run.calls.find(({ name, state }) => name === "finish" && state === "faulty");
    expect(refused?.reason).toContain('it looks only at ".done", which you made');
    expect(verdictOf(run)).toMatchObject({ passed: false, reason_code: "nothing_verified" });
  });

  test("is as little as a file that it left as it was, whose check it did not run before", async () => {
    const replies = [shell(CHECK, true), shell("touch note"), finish("test -s app.conf")] as const;
    const placed = { ...over, target: { service: "web", compose_dir: "/srv/w" } };
    const run = await runAgent({ replies: [...replies], exits: untilChanged(), examination: SHOWN, over: placed });
    const refused = run.calls.find(({ name, state }) => name === "finish" && state === "faulty");
    expect(refused?.reason).toContain('it looks only at "app.conf", which you have not changed');
    expect(verdictOf(run)).toMatchObject({ passed: false, reason_code: "nothing_verified" });
  });

  test("gives way to a check of the goal", async () => {
    const replies = [shell(CHECK, true), shell(CHANGE), shell("touch .done"), finish(MARKER), finish(CHECK)] as const;
    const run = await runAgent({ replies: [...replies], exits: untilChanged(), over });
    expect(verdictOf(run)).toMatchObject({ passed: true, reason_code: "verified" });
  });
});

test("promises 3.2: a check of an agent of which a line decides nothing does not count, and the agent hears why", async () => {
  const text = "grep -qx up health.txt; grep -q 8080 app.conf";
  const replies = [shell(CHECK, true), shell(CHANGE), finish(text)] as const;
  const run = await runAgent({ replies: [...replies], exits: untilChanged(), examination: SHOWN, over });
  const refused = run.calls.find(({ name, state }) => name === "finish" && state === "faulty");
  expect(refused?.reason).toContain("not every line of it counts: line 1 decides nothing");
  expect(verdictOf(run).passed).toBe(false);
});
