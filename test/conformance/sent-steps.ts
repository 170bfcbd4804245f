// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
// The conformance suite of what is sent: on every backend, the model is asked about it, an approval shows it, the digest covers
// it, explain and the task show it, it is what arrives, and the evidence records it (D-185).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../src/engine/evidence/verify/bundle.ts";
import { check, cmd, mcpCall } from "../support/builders.ts";
import { type Pair, startPair } from "../support/orch-on-engine.ts";
import { type RoutingModel, startRoutingModel } from "../support/routing-model.ts";
import { type SdkServer, startSdkServer } from "../support/tool-server.ts";

const CATEGORY = "delete data";
const setting = (value: unknown) => mcpCall({ server: "notes", tool: "set", arguments: { value } as never });

/** One step that sends a value of the contract, and where that value has to be read. */
const KINDS = [
  ["a parameter of the payload", setting("${payload.op}"), "command"],
  ["a parameter deep in the arguments", setting([{ is: "${payload.op}" }]), "command"],
  ["a parameter of the whole payload below a key", setting("${payload.deep.er}"), "command"],
  ["a parameter of the target", setting("${target.note}"), "command"],
  ["a command that reads a variable of the target", cmd('echo "$ORCH_TARGET_NOTE" >> sent'), "environment"],
  ["a command that reads the payload", cmd('echo "$ORCH_PAYLOAD" >> sent'), "environment"],
  ["a command that reads every variable", cmd("env | grep ORCH_ >> sent"), "environment"],
  [
    "a check that reads the payload",
    check('grep -q op <<< "$ORCH_PAYLOAD" && echo "$ORCH_PAYLOAD" >> sent'),
    "environment",
  ],
] as const;

export function sentStepsSuite(backend: string, env: Readonly<Record<string, string>>) {
  describe(`what is sent on ${backend}`, () => {
    let pair: Pair;
    let model: RoutingModel;
    let notes: SdkServer;
    beforeAll(async () => {
      model = await startRoutingModel({ requires_approval: true, matched_category: CATEGORY });
      notes = await startSdkServer();
      pair = await startPair({ ...model.env, MCP_NOTES_URL: notes.url, MCP_NOTES_TOKEN: "a-token", ...env });
    });
    afterAll(async () => {
      await pair[Symbol.asyncDispose]();
      await notes[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    });

    /** The contract of a task that sends `value`. */
    const sending = (name: string, value: string) => ({
      delegation_mode: "known_only",
      target: { ...pair.orch.targetOf(name), note: value },
      payload: { op: value, deep: { er: { op: value } } },
      constraints: { implicit_scope: ["notes"], require_approval_for: [CATEGORY], max_minutes: 1 },
    });

    /** The paused task, what the model was asked about its first step, and its approval. */
    async function asked(name: string, value: string, step: object) {
      const { orch } = pair;
      const over = sending(name, value);
      await orch.learn("deploy", over.target, [step, check("test -d /")]);
      const before = model.questions.length;
      const task = await orch.run(name, over);
      expect(task.status).toBe("need_approval");
      const [question] = model.questions.slice(before);
      const explained = await orch.call("explain", { contract: orch.contract(name, over) });
      return { task, question, explained, approval: await orch.approvalOf(name) };
    }

    test.each(KINDS)(
      "%s is judged, asked, shown, digested, explained, sent and recorded [4.gate.command_sent]",
      async (kind, step, where) => {
        const { orch } = pair;
        const name = `sent-${KINDS.findIndex(([title]) => title === kind)}`;
        const value = `value-of-${name}`;
        const { task, question, explained, approval } = await asked(name, value, step);
        expect(question?.[where]).toContain(value);
        expect(JSON.stringify(explained.steps[0][where])).toContain(value);
        expect(JSON.stringify(approval.content)).toContain(value);
        if (where === "command") {
          expect(JSON.stringify(approval.content.steps[0])).toContain(value);
          expect(task.steps[0].command).toContain(value);
        }
        await orch.call("approve", { approval_id: approval.approval_id, decision: "approve" });
        expect(await orch.outcomeOf(name)).toMatchObject({ status: "ok" });
        expect(JSON.stringify([notes.called.at(-1), orch.linesOf("sent")])).toContain(value);
        const evidence = await orch.call("get_evidence", { task_id: name });
        if (where === "command") expect(evidence.executed_commands[0]).toContain(value);
        expect(JSON.stringify(evidence.approvals)).toContain(value);
        expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
      },
    );
  });
}
