// Agent tasks in LangGraph Studio: the ReAct loop as its own graph, and within the pipeline.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check as checks, done, run, scope } from "../support/agent-engine.ts";
import { calls, type Script, startScriptedModel } from "../support/agent-model.ts";
import { contractBody } from "../support/builders.ts";
import { type StudioProcess, startStudio } from "../support/studio-process.ts";
import { approve, bodiesOf, openThread, reject, stdoutOf } from "../support/studio-thread.ts";
import { WITHOUT_LOOKS } from "../support/without-looks.ts";

const agentTask = (over: object = {}) => ({
  contract: contractBody({ delegation_mode: "agent", constraints: scope("shell"), ...over }),
});

// Without a routing model every call needs an approval.
const ASKING = { constraints: { ...scope("shell"), require_approval_for: ["anything"] } };

const CHECK = "test 1 -gt 0";
const REHEARSED = ["rehearsed, not run: echo rehearsed", `rehearsed, not run: ${CHECK}`];

/** Each graph that runs an agent task, with a backend in the contract. */
const WAYS = [
  ["react", {}],
  ["sop", { agent_backend: "react" }],
  ["sop", { agent_backend: "plain" }],
] as const;

/** One command and a check, and no more where a human refused them. */
const SCRIPT: Script = ({ messages }) => {
  if (messages.some(({ role, content }) => role === "tool" && content.includes("rejected_by_a_human")))
    return calls(["finish", { summary: "refused", done: false }]);
  const has_acted = messages.some(({ role }) => role === "assistant");
  return has_acted ? done(["the page is served", CHECK]) : calls(run("echo rehearsed"), checks(CHECK));
};

describe("an agent task", () => {
  let model: Awaited<ReturnType<typeof startScriptedModel>>;
  let studio: StudioProcess;
  beforeAll(async () => {
    model = await startScriptedModel(SCRIPT);
    studio = await startStudio({ ...WITHOUT_LOOKS, ...model.env });
  }, 90_000);
  afterAll(async () => {
    await studio[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });

  describe.each(WAYS)("on the graph %s with %o", (graph, over) => {
    test("is rehearsed to its end without running a command", async () => {
      const thread = await openThread(studio, graph);
      const events = await thread.start(agentTask(over));
      expect(events.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(["agent_equipped", "agent_replied", "agent_call_judged", "step_started"]),
      );
      expect(bodiesOf(events, "agent_equipped")).toMatchObject([
        { model: "agent:8b", tools: ["finish", "shell", "edit_file"] },
      ]);
      expect(stdoutOf(events)).toEqual(REHEARSED);
      expect(bodiesOf(events, "agent_finished")).toMatchObject([{ done: true }]);
      expect(await thread.status()).toBe("idle");
      if (graph === "sop")
        expect(await thread.facts()).toMatchObject({ path: "agent", agent: "finished", verdict: "pass" });
      else expect(await thread.facts()).toMatchObject({ reply: "calls", permission: "settled", calls: "over" });
    });

    test("asks before its calls, and makes them after the approval", async () => {
      const thread = await openThread(studio, graph);
      expect(stdoutOf(await thread.start(agentTask({ ...ASKING, ...over })))).toEqual([]);
      expect(await thread.status()).toBe("interrupted");
      expect(await thread.questions()).toMatchObject([
        {
          outcome: { status: "need_approval", reason_code: "approval_required" },
          action_requests: [
            {
              name: "approve_agent",
              args: {
                calls: [
                  { index: 0, step: { kind: "cmd", value: "echo rehearsed" } },
                  { index: 1, step: { kind: "check", value: CHECK } },
                ],
              },
            },
          ],
          review_configs: [{ action_name: "approve_agent", allowed_decisions: ["approve", "reject"] }],
        },
      ]);
      const events = await thread.answer(approve);
      expect(stdoutOf(events)).toEqual(REHEARSED);
      expect(bodiesOf(events, "agent_finished")).toHaveLength(1);
      expect(await thread.status()).toBe("idle");
    });

    test("makes none of its calls after a rejection, and receives the reason", async () => {
      const thread = await openThread(studio, graph);
      await thread.start(agentTask({ ...ASKING, ...over }));
      const events = await thread.answer(reject);
      expect(bodiesOf(events, "approval_decided")).toMatchObject([{ status: "rejected", reason: "not on a Friday" }]);
      expect(stdoutOf(events)).toEqual([]);
      expect(bodiesOf(events, "agent_finished")).toMatchObject([{ done: false }]);
      expect(await thread.status()).toBe("idle");
    });

    test("runs anew each time it is started on the same thread", async () => {
      const thread = await openThread(studio, graph);
      for (const start of [1, 2]) {
        const events = await thread.start(agentTask(over));
        expect(stdoutOf(events), `start ${start}`).toEqual(REHEARSED);
        expect(bodiesOf(events, "agent_replied").map(({ turn }) => turn)).toEqual([1, 2]);
      }
      await thread.start(agentTask({ ...ASKING, ...over }));
      expect(await thread.status()).toBe("interrupted");
      expect(stdoutOf(await thread.answer(approve))).toEqual(REHEARSED);
    });
  });

  test("the ReAct loop is a subgraph of the pipeline, with its nodes and its state [1.A.6.react]", async () => {
    const { client } = studio;
    const [assistant] = await client.assistants.search({ graphId: "sop" });
    const id = assistant?.assistant_id ?? "";
    expect(Object.keys(await client.assistants.getSubgraphs(id))).toEqual(["run_agent"]);
    const { nodes } = await client.assistants.getGraph(id, { xray: true });
    expect(nodes.map((node) => node.id)).toEqual(
      expect.arrayContaining(["run_agent:ask_model", "run_agent:await_call_approval"]),
    );
    const thread = await openThread(studio, "sop");
    await thread.start(agentTask({ ...ASKING, agent_backend: "react" }));
    expect(await thread.innerNext()).toEqual([{ name: "run_agent", next: ["await_call_approval"] }]);
  });

  test.each(["react", "plain"])(
    "on %s within the pipeline is not run again by a fork from before it",
    async (agent_backend) => {
      const thread = await openThread(studio, "sop");
      expect(stdoutOf(await thread.start(agentTask({ agent_backend })))).toEqual(REHEARSED);
      const events = await thread.fork("run_agent");
      expect(bodiesOf(events, "agent_equipped")).toEqual([]);
      expect(stdoutOf(events)).toEqual([]);
      expect(await thread.facts()).toMatchObject({ agent: "finished", verdict: "pass" });
    },
  );
});

describe("an agent task with a model and ORCH_STUDIO_EXECUTE=1", () => {
  /** More turns than the 25 supersteps that LangGraph allows by default. */
  const TURNS = 9;
  const script: Script = ({ messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length + 1;
    return turn <= TURNS ? calls(run(`echo ${turn} >> made`)) : done(["the page is served", `grep -qx ${TURNS} made`]);
  };

  test("runs its commands", { timeout: 120_000 }, async () => {
    await using model = await startScriptedModel(script);
    await using studio = await startStudio({ ORCH_STUDIO_EXECUTE: "1", ...WITHOUT_LOOKS, ...model.env });
    // The home directory of orch is not one that an agent may be given.
    const compose_dir = join(studio.directory, "web");
    mkdirSync(compose_dir);
    for (const [graph, over] of WAYS) {
      const name = `${graph}-${Object.values(over).join()}`;
      const thread = await openThread(studio, graph);
      const events = await thread.start(agentTask({ ...over, target: { service: name, compose_dir } }));
      expect(bodiesOf(events, "step_finished").map(({ status }) => status)).toEqual(Array(TURNS + 1).fill("passed"));
      expect(bodiesOf(events, "agent_finished")).toHaveLength(1);
    }
    expect(readFileSync(join(compose_dir, "made"), "utf8").trim().split("\n")).toHaveLength(TURNS * WAYS.length);
  });
});
