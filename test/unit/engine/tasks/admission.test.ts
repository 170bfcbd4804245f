// Which contracts this server cannot run at all, and what it says about them.
import { describe, expect, test } from "vitest";
import { type AdmissionDeps, obstacleTo, skipRefusal } from "../../../../src/engine/tasks/admission.ts";
import type { Skill } from "../../../../src/ports.ts";
import { aContract } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";

const SKILL: Skill = {
  name: "lamps",
  intents: ["switch_off"],
  fault: null,
  handle: async () => ({ status: "ok", code: "done", message: "Done." }),
};
const scope = (...implicit_scope: string[]) => ({
  constraints: { implicit_scope, require_approval_for: [], max_minutes: 1 },
});

type Agent = AdmissionDeps["agent"];
type Server = Partial<Pick<AdmissionDeps, "backendOf">> & {
  readonly agent?: Partial<Agent>;
  readonly servers?: readonly string[];
};

const obstacle = (
  contract: Record<string, unknown>,
  { agent = {}, servers = ["notes", "lamps"], ...over }: Server = {},
) =>
  obstacleTo(
    {
      backendOf: () => pipelineParts().backend,
      skillOf: (intent) => (SKILL.intents.includes(intent) ? SKILL : null),
      agent: {
        model: {},
        shellFault: async () => null,
        skill_tools: [{ scope: "pages" }, { scope: "lights" }],
        ...agent,
      },
      toolServers: { names: new Set(servers) },
      ...over,
    },
    aContract(contract),
  );
const unavailable = (message: string) => ({ reason_code: "mode_unavailable", message, step_index: null });

describe("a contract without an agent", () => {
  test.each<[string, Record<string, unknown>, Server]>([
    ["for an intent of the vocabulary", {}, {}],
    ["for the intent of a skill", { intent: "switch_off", delegation_mode: "known_only" }, {}],
    ["without references, for a flow engine", {}, { backendOf: () => pipelineParts({ remote: true }).backend }],
    ["with what a flow engine would replace, for this machine", { payload: { key: "$var:f/key" } }, {}],
  ])("can run %s", async (_what, contract, server) => {
    expect(await obstacle(contract, server)).toBeNull();
  });

  test.each<[string, Record<string, unknown>, Server, string]>([
    ["an intent that nothing handles", { intent: "make_tea" }, {}, "No skill handles make_tea on this server."],
    [
      "a skill on a flow engine",
      { intent: "switch_off", execution_backend: "flowengine" },
      {},
      "A skill runs where orch runs; leave execution_backend out.",
    ],
    [
      "a flow engine that is not there",
      { execution_backend: "flowengine" },
      { backendOf: () => null },
      "This server has no flow engine: FLOWENGINE_URL is not set.",
    ],
  ])("cannot run %s", async (_what, contract, server, message) => {
    expect(await obstacle(contract, server)).toEqual(unavailable(message));
  });

  test("cannot give a flow engine what it would replace", async () => {
    const server = { backendOf: () => pipelineParts({ remote: true }).backend };
    const refused = await obstacle({ payload: { key: "$var:f/key" } }, server);
    expect(refused).toMatchObject({ reason_code: "engine_reference" });
    expect(refused?.message).toMatch(/^The contract: the flow engine would replace payload\.key, .+\.$/);
  });
});

describe("a contract with an agent", () => {
  const agents = (over: Record<string, unknown>) => ({ delegation_mode: "agent", ...over });

  test.each(["shell", "notes", "LAMPS", "Lights", "pages"])("can run when its scope names %s", async (name) => {
    expect(await obstacle(agents(scope("something", name)))).toBeNull();
  });

  test("needs no confined shell when its scope has none", async () => {
    const agent = { shellFault: async () => "bubblewrap is missing" };
    expect(await obstacle(agents(scope("notes")), { agent })).toBeNull();
    expect(await obstacle(agents(scope("Shell", "notes")), { agent })).toEqual(
      unavailable("An agent gets no shell here: bubblewrap is missing"),
    );
  });

  test.each([[scope()], [scope("cmd:ls", "tickets")]])("needs something that it could use: %j", async (constraints) => {
    expect(await obstacle(agents(constraints))).toMatchObject({
      reason_code: "outside_scope",
      message: "implicit_scope names nothing that an agent could use: shell, or a tool server of this server.",
    });
  });

  test.each<[string, Record<string, unknown>, Server, string]>([
    [
      "without a model",
      {},
      { agent: { model: null } },
      "This server has no agent model: AGENT_MODEL is not set, and neither is ROUTING_MODEL.",
    ],
    [
      "on a flow engine",
      { execution_backend: "flowengine" },
      {},
      "An agent runs where orch runs; leave execution_backend out.",
    ],
    [
      "for the intent of a skill",
      { intent: "switch_off" },
      {},
      "The skill lamps handles switch_off; use delegation_mode known_only.",
    ],
  ])("cannot run %s", async (_what, contract, server, message) => {
    expect(await obstacle(agents({ ...scope("shell"), ...contract }), server)).toEqual(unavailable(message));
  });
});

test.each([
  ["update_sop", { intent: "update_sop" }],
  ["an agent", { delegation_mode: "agent" }],
  ["a skill", { intent: "switch_off" }],
])("%s refuses skip_if_done: it has no checks before it runs", (who, over) => {
  const skillOf = (intent: string) => (SKILL.intents.includes(intent) ? SKILL : null);
  const refusal = (more: Record<string, unknown>) => skipRefusal({ skillOf }, aContract({ ...over, ...more }));
  expect(refusal({ skip_if_done: true })).toBe(`is for procedures: ${who} has no checks before it runs; leave it out`);
  expect([refusal({ skip_if_done: false }), refusal({})]).toEqual([null, null]);
  expect(skipRefusal({ skillOf }, aContract({ skip_if_done: true }))).toBeNull();
});
