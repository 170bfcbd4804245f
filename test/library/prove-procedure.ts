// Runs a procedure of the library for real: as it is, without each of its changing steps, and with programs that lie.
import { READ_ONLY_INTENTS } from "../../src/domain/contract.ts";
import { isCheck, type Step } from "../../src/domain/step.ts";
import { aimed, contractFor, type LibraryFile } from "../../src/schema/library-file.ts";
import { openEngine } from "../support/engine.ts";
import type { OpenScene, Scene } from "./scene.ts";
import { makeWorld, type World } from "./world.ts";

type Way = { readonly kind: "as_it_is" | "lies" | "spoiled" } | { readonly kind: "without"; readonly index: number };

export type Run = {
  readonly way: Way;
  // biome-ignore lint/suspicious/noExplicitAny: tests read deep into answers and check what they find
  readonly task: any;
  readonly warnings: readonly object[];
  readonly world: World;
  readonly asked: boolean;
};

const LOOKS = { BEFORE_LOOK: "on", CHECK_LOOKS: "on" };
const NOTHING: Step = { kind: "cmd", value: "echo nothing is done" };

/** Null where the machine lacks what the scene needs. `look` sees the world before it is removed. */
export async function runOnce(
  entry: LibraryFile,
  { open, way, look }: { readonly open: OpenScene; readonly way: Way; readonly look?: (run: Run) => void },
): Promise<Run | null> {
  const world = makeWorld();
  let scene: Scene | null = null;
  try {
    scene = await open(world);
    if (scene === null) return null;
    const { target, payload, env, lie, spoil } = scene;
    if (way.kind === "lies") {
      world.lie();
      lie?.();
    }
    if (way.kind === "spoiled") spoil?.();
    await using engine = await openEngine({ env: { ...LOOKS, ...env }, path: world.path });
    const procedure = aimed(entry, { target });
    const contract = contractFor(entry, procedure);
    const steps = procedure.steps.map((step, at) => (way.kind === "without" && way.index === at ? NOTHING : step));
    const { criteria, safety_level, preconditions } = procedure;
    await engine.call("submit_task", {
      ...contract,
      ...{ delegation_mode: "teach_if_unknown", payload: { ...contract.payload, ...payload }, wait_seconds: 30 },
    });
    const { task_id } = contract;
    const taught = await engine.call("teach", {
      ...{ task_id, steps, criteria, safety_level, preconditions, wait_seconds: 50 },
    });
    const asked = taught.task.status === "need_approval";
    if (asked) await engine.call("approve", { approval_id: (await engine.approvalOf(task_id)).approval_id, decision: "approve" });
    const task = asked ? await engine.call("get_task", { task_id, wait_seconds: 50 }) : taught.task;
    const run = { way, task, warnings: taught.warnings, world, asked };
    look?.(run);
    return run;
  } finally {
    await scene?.close?.();
    world.remove();
  }
}

/** The ways in which the procedure must not end DONE: each changing step left out, or what it looks at spoiled, and lies. */
export function badWays({ procedure }: LibraryFile): Way[] {
  if (READ_ONLY_INTENTS.has(procedure.intent)) return [{ kind: "spoiled" }, { kind: "lies" }];
  const changing = procedure.steps.flatMap((step, index) => (isCheck(step) ? [] : [index]));
  return [...changing.map((index) => ({ kind: "without" as const, index })), { kind: "lies" }];
}
