// Runs a procedure of the library for real: as it is, without each of its changing steps, and with programs that lie.
import { READ_ONLY_INTENTS } from "../../src/domain/contract.ts";
import { JsonObject } from "../../src/domain/json.ts";
import { isCheck, type Step } from "../../src/domain/step.ts";
import { effectOf } from "../../src/guard/guard.ts";
import type { SopFile } from "../../src/schema/sop-file.ts";
import { aimed, contractFor, type LibraryFile } from "../../src/schema/sop-file.ts";
import { AT } from "../support/builders.ts";
import { type Engine, openEngine } from "../support/engine.ts";
import type { OpenScene, Scene } from "./scene.ts";
import { makeWorld, type World } from "./world.ts";

type Way = { readonly kind: "as_it_is" | "lies" | "spoiled" } | { readonly kind: "without"; readonly index: number };

export type Run = {
  readonly way: Way;
  // biome-ignore lint/suspicious/noExplicitAny: tests read deep into answers and check what they find
  readonly task: any;
  /** Of a second task that did the same in the same world; null without one. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly again: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly bundle: any;
  readonly warnings: readonly object[];
  readonly world: World;
  readonly asked: boolean;
};

const LOOKS = { BEFORE_LOOK: "on", CHECK_LOOKS: "on" };
const AGAIN = "the-same-again";
const NOTHING: Step = { kind: "cmd", value: "echo nothing is done" };

type Order = {
  readonly open: OpenScene;
  readonly way: Way;
  /** A second task does the same when the first one is done. */
  readonly twice?: boolean;
  readonly look?: (run: Run) => unknown;
};

/** Null where the machine lacks what the scene needs. `look` sees the world before it is removed. */
export async function runOnce(entry: LibraryFile, { open, way, twice = false, look }: Order): Promise<Run | null> {
  using world = makeWorld();
  let scene: Scene | null = null;
  try {
    scene = await open(world);
    if (scene === null) return null;
    if (way.kind === "lies") {
      world.lie();
      scene.lie?.();
    }
    if (way.kind === "spoiled") scene.spoil?.();
    await using engine = await openEngine({ env: { ...LOOKS, ...scene.env }, path: world.path });
    const procedure = aimed(entry, { target: scene.target });
    const contract = contractFor(entry, procedure);
    const steps = procedure.steps.map((step, at) => (way.kind === "without" && way.index === at ? NOTHING : step));
    const payload = JsonObject.parse({ ...contract.payload, ...scene.payload });
    const lesson = { contract: { ...contract, payload }, procedure: { ...procedure, steps } };
    const first = await taught(engine, lesson);
    const bundle = await engine.call("get_evidence", { task_id: contract.task_id });
    const again = !twice || first.task.status !== "ok" ? null : (await taught(engine, renamed(lesson, AGAIN))).task;
    const run = { ...first, way, world, again, bundle };
    await look?.(run);
    return run;
  } finally {
    await scene?.close?.();
  }
}

type Lesson = { readonly contract: ReturnType<typeof contractFor>; readonly procedure: SopFile };

/** For another task, which its payload names too. */
const renamed = ({ contract, procedure }: Lesson, task_id: string): Lesson => ({
  contract: {
    ...contract,
    task_id,
    payload: JSON.parse(JSON.stringify(contract.payload).replaceAll(contract.task_id, task_id)),
  },
  procedure,
});

/** Submits the task, teaches it, approves what it asks, and waits for its end. */
async function taught(engine: Engine, { contract, procedure }: Lesson) {
  const { task_id } = contract;
  const { steps, criteria, safety_level, preconditions } = procedure;
  await engine.call("submit_task", {
    ...contract,
    delegation_mode: "teach_if_unknown",
    requested_by: "brain",
    requested_at: AT,
    wait_seconds: 30,
  });
  const lesson = { task_id, steps, criteria, safety_level, preconditions, wait_seconds: 50 };
  const { task, warnings } = await engine.call("teach", lesson);
  if (task.status !== "need_approval") return { task, warnings, asked: false };
  const { approval_id } = await engine.approvalOf(task_id);
  await engine.call("approve", { approval_id, decision: "approve" });
  return { task: await engine.call("get_task", { task_id, wait_seconds: 50 }), warnings, asked: true };
}

/** The ways in which the procedure must not end DONE: each changing step left out, or what it looks at spoiled, and lies. */
export function badWays({ procedure }: LibraryFile): Way[] {
  if (READ_ONLY_INTENTS.has(procedure.intent)) return [{ kind: "spoiled" }, { kind: "lies" }];
  const changing = procedure.steps.flatMap((step, index) => (isCheck(step) || onlyLooks(step) ? [] : [index]));
  return [...changing.map((index) => ({ kind: "without" as const, index })), { kind: "lies" }];
}

const onlyLooks = (step: Step): boolean =>
  step.kind === "cmd" && effectOf(step.value, { home: "/", cwd: "/", env: {} }).is === "reads";
