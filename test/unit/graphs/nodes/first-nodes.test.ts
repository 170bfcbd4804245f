// Who handles a task, and with which procedure.
import { describe, expect, test } from "vitest";
import { admit, lookUpSop } from "../../../../graphs/nodes/first-nodes.ts";
import type { PipelineDeps } from "../../../../graphs/state.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { AgentModel } from "../../../../src/features/agents/port.ts";
import { agentJournal } from "../../../support/agent-journal.ts";
import { aContract, cmd } from "../../../support/builders.ts";
import { PROCEDURE, pinning, pipelineParts, stateOf } from "../../../support/pipeline-parts.ts";
import { aSop } from "../../engine/tasks/a-sop.ts";

describe("admit", () => {
  const admitted = async (
    given: Record<string, unknown>,
    over: Partial<PipelineDeps> = {},
    events: readonly NewEvent[] = [],
    remote = false,
  ) => {
    const parts = pipelineParts({ over, remote });
    const contract = await parts.begin(aContract(given), ...events);
    return admit(parts.deps)(stateOf({ contract }));
  };
  const unavailable = (message: string) => ({
    path: "unavailable",
    reason: { reason_code: "mode_unavailable", message },
  });
  const model = { name: "m" } as AgentModel;
  const withAgent = (over: Partial<PipelineDeps["agent"]> = {}) => ({
    agent: { ...pipelineParts().deps.agent, model, ...over },
  });
  const AGENT = {
    delegation_mode: "agent",
    constraints: { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 },
  };
  const skill = {
    name: "garden",
    intents: ["water_plants"],
    fault: null,
    handle: () => Promise.reject(new Error("unused")),
  };
  const withSkill = { skillOf: (intent: string) => (intent === "water_plants" ? skill : null) };
  const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
  const NO_ENGINE = "This server has no flow engine: FLOWENGINE_URL is not set.";

  test("routes a replacement, a procedure, a skill and an agent to their own paths", async () => {
    expect(await admitted({ intent: "update_sop" })).toEqual({ path: "update_sop" });
    expect(await admitted({})).toEqual({ path: "sop" });
    expect(await admitted({ intent: "water_plants" }, withSkill)).toEqual({ path: "skill" });
    expect(await admitted(AGENT, withAgent())).toEqual({ path: "agent" });
  });

  test("returns unavailable for a task that this server cannot run", async () => {
    expect(await admitted({}, { backendOf: () => null })).toMatchObject(unavailable(NO_ENGINE));
    const elsewhere = { intent: "water_plants", execution_backend: "flowengine" };
    expect(await admitted(elsewhere, withSkill)).toMatchObject({ path: "unavailable" });
    expect(await admitted({ intent: "water_plants" })).toMatchObject(
      unavailable("No skill handles water_plants on this server."),
    );
    expect(await admitted(AGENT)).toMatchObject({ path: "unavailable" });
  });

  test("continues an agent, a skill or a procedure that has begun, even if it could not start now", async () => {
    expect(await admitted(AGENT, {}, agentJournal([[]]))).toEqual({ path: "agent" });
    const step: NewEvent = { kind: "skill_step_started", body: { index: 0, attempt: 1, name: "s" } };
    expect(await admitted({ intent: "water_plants" }, {}, [step])).toEqual({ path: "skill" });
    const elsewhere = { intent: "water_plants", execution_backend: "flowengine" };
    expect(await admitted(elsewhere, withSkill, [step])).toEqual({ path: "skill" });
    expect(await admitted({}, { backendOf: () => null }, [started])).toEqual({ path: "sop" });
  });

  test("asks for the backend that the task was accepted for", async () => {
    const asked: unknown[] = [];
    const backendOf: PipelineDeps["backendOf"] = ({ execution_backend }) => {
      asked.push(execution_backend);
      return null;
    };
    await admitted({}, { backendOf }, [], true);
    expect(asked).toEqual(["flowengine"]);
    await admitted({ execution_backend: "flowengine" }, { backendOf });
    expect(asked).toEqual(["flowengine", "local"]);
  });

  test("refuses references that a flow engine would resolve, when the task runs there", async () => {
    const given = { payload: { tag: "$var:f/secret" } };
    expect(await admitted(given, {}, [], true)).toMatchObject({
      path: "unavailable",
      reason: { reason_code: "engine_reference", message: expect.stringMatching(/^The contract: /) },
    });
    expect(await admitted(given)).toEqual({ path: "sop" });
  });

  test.each<[string, Record<string, unknown>, Partial<PipelineDeps["agent"]>, string | null]>([
    ["runs with a shell", {}, {}, null],
    [
      "has no model",
      {},
      { model: null },
      "This server has no agent model: AGENT_MODEL is not set, and neither is ROUTING_MODEL.",
    ],
    [
      "is to run elsewhere",
      { execution_backend: "flowengine" },
      {},
      "An agent runs where orch runs; leave execution_backend out.",
    ],
    [
      "cannot be confined",
      {},
      { shellFault: async () => "there is no sandbox" },
      "An agent gets no shell here: there is no sandbox",
    ],
  ])("reports the obstacle, if any, of an agent that %s", async (_what, given, over, message) => {
    const expected = message === null ? { path: "agent" } : unavailable(message);
    expect(await admitted({ ...AGENT, ...given }, withAgent(over))).toMatchObject(expected);
  });

  test.each([
    [["Notes"], true],
    [["Garden"], true],
    [["SHELL"], true],
    [["tickets"], false],
    [[], false],
  ])("lets an agent with the scope %j run: %s", async (implicit_scope, runs) => {
    const given = { ...AGENT, constraints: { implicit_scope, require_approval_for: [], max_minutes: 1 } };
    const skill_tools = [{ scope: "garden" }] as unknown as PipelineDeps["agent"]["skill_tools"];
    const message = "implicit_scope names nothing that an agent could use: shell, or a tool server of this server.";
    const refused = { path: "unavailable", reason: { reason_code: "outside_scope", message } };
    expect(await admitted(given, withAgent({ skill_tools }))).toMatchObject(runs ? { path: "agent" } : refused);
  });

  test("checks the sandbox only when the agent gets a shell", async () => {
    const given = { ...AGENT, constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 } };
    const shellFault = () => Promise.reject(new Error("not asked for"));
    expect(await admitted(given, withAgent({ shellFault }))).toEqual({ path: "agent" });
  });
});

describe("look_up_sop", () => {
  const lookedUp = async (given: Record<string, unknown>, events: readonly NewEvent[] = []) => {
    const parts = pipelineParts();
    await parts.write(
      "s",
      [],
      [
        { on: "sop_created", sop: aSop({ version: 3 }) },
        { on: "sop_created", sop: aSop({ sop_id: "c", version: 4, status: "candidate", intent: "restart" }) },
      ],
    );
    const contract = await parts.begin(aContract(given), ...events);
    return {
      facts: await lookUpSop(parts.deps)(stateOf({ contract })),
      noted: (await parts.journalOf()).events.at(-1),
    };
  };

  test("pins the active SOP of exactly this intent and target in the journal", async () => {
    const { facts, noted } = await lookedUp({});
    expect(facts).toEqual({ lookup: "known" });
    const { sop_id, steps, criteria, safety_level, preconditions } = aSop();
    const body = { sop_id, sop_version: 3, steps, criteria, safety_level, preconditions };
    expect(noted).toMatchObject({ kind: "sop_pinned", body });
  });

  test.each(["sop_pinned", "taught"] as const)("keeps a procedure that was %s", async (kind) => {
    const procedure = { ...PROCEDURE, sop_id: null, sop_version: null, steps: [cmd("other")] };
    const { facts, noted } = await lookedUp({}, [{ ...pinning(procedure), kind } as NewEvent]);
    expect(facts).toEqual({ lookup: "known" });
    expect(noted).toMatchObject({ kind, body: procedure });
  });

  test.each([
    ["teach_if_unknown", { lookup: "teachable" }],
    [
      "known_only",
      {
        lookup: "unknown",
        reason: {
          reason_code: "sop_not_found",
          message: 'No active SOP for restart on "environment=prod;service=web".',
          step_index: null,
        },
      },
    ],
  ])("ignores a candidate SOP in mode %s", async (delegation_mode, facts) => {
    const lookup = await lookedUp({ intent: "restart", delegation_mode });
    expect(lookup.facts).toEqual(facts);
    expect(lookup.noted?.kind).toBe("taken_up");
  });
});
