// An orch with tasks of every kind for the console's pages of tasks: steps that a test teaches, and an agent with a scripted model.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { calls, startScriptedModel } from "./agent-model.ts";
import { contractBody } from "./builders.ts";
import { startOrchProcess, temporaryDirectory } from "./orch-process.ts";

const RUN = ["shell", { command: "echo one > made; echo made it" }] as const;
const CHECK = ["shell", { command: "grep -q one made", check: true }] as const;
const END = ["finish", { summary: "It is made.", checks: ["grep -q one made"] }] as const;
const TURNS = [calls([...CHECK], ["shell", { command: "rm -rf /usr" }]), calls([...RUN], [...CHECK]), calls([...END])];

export const GREEN = { kind: "check", value: "test -d /tmp" };

export type TaskHouse = Awaited<ReturnType<typeof openTaskHouse>>;

export async function openTaskHouse() {
  const [place, work] = [await temporaryDirectory(), await temporaryDirectory()];
  const model = await startScriptedModel(
    ({ messages }) => TURNS[messages.filter(({ role }) => role === "assistant").length] ?? calls([...END]),
  );
  const orch = await startOrchProcess({ data_dir: place.path, env: model.env });
  const untilStatus = async (task_id: string, status: string) => {
    for (let n = 0; n < 400; n++) {
      const { body } = await orch.get(`/v1/tasks/${task_id}`);
      if (body.status === status) return body;
      await sleep(25);
    }
    throw new Error(`${task_id} does not become ${status}`);
  };
  return {
    orch,
    work: work.path,
    /** Taught to the task itself, so that nothing has to be promoted. */
    aTask: async (task_id: string, steps: readonly object[], status = "ok") => {
      const target = { service: task_id, compose_dir: work.path };
      await orch.post("/v1/tasks", contractBody({ task_id, target, success_criteria: [] }));
      await untilStatus(task_id, "need_input");
      const taught = await orch.post("/v1/teach", { task_id, steps });
      if (taught.status !== 200) throw new Error(JSON.stringify(taught.body));
      return untilStatus(task_id, status);
    },
    /** It looks, asks for something that is refused, does its work, and proves it. */
    anAgent: async (task_id: string) => {
      await rm(join(work.path, "made"), { force: true });
      const constraints = { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 };
      const goal = { payload: { goal: "make it" }, success_criteria: ["it is made"] };
      const target = { compose_dir: work.path };
      await orch.post("/v1/tasks", contractBody({ task_id, target, delegation_mode: "agent", constraints, ...goal }));
      return untilStatus(task_id, "ok");
    },
    [Symbol.asyncDispose]: async () => {
      await orch.kill("SIGTERM");
      await model[Symbol.asyncDispose]();
      for (const directory of [place, work]) await directory[Symbol.asyncDispose]();
    },
  };
}
