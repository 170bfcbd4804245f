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
  ) => {
    const parts = pipelineParts({ over });
    const contract = await parts.begin(aContract(given), ...events);
    return admit(parts.deps)(stateOf({ contract }));
  };
  const unavailable = (message: string) => ({
    path: "unavailable",
    reason: { reason_code: "mode_unavailable", message },
  });
  const model = { name: "m" } as AgentModel;
  const withAgent = { agent: { ...pipelineParts().deps.agent, model } };
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
    expect(await admitted(AGENT, withAgent)).toEqual({ path: "agent" });
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
