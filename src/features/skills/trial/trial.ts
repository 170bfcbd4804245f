// Runs one task of a skill, in a world and a data directory of its own: from its submission to its end, over a stop or a
// cancellation after any commit, within a limit of time.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { TaskContract } from "../../../domain/contract.ts";
import type { NewEvent } from "../../../domain/journal.ts";
import { type Json, JsonObject } from "../../../domain/json.ts";
import type { Evidence } from "../../../engine/evidence/bundle.ts";
import { type Opened, type SkillTest, type TriedTask, withDirectory, withoutDirectory } from "./skill-test.ts";
import { type ChangingCall, startServers } from "./tool-servers.ts";

export type How = {
  readonly task?: Partial<TriedTask>;
  readonly decision?: "approve" | "reject";
  /** Stops the engine or cancels the task after that commit, or when that call has changed something and is not answered yet. */
  readonly after?: number;
  readonly in_call?: number;
  readonly act?: "stop" | "cancel";
};

export type Trial = {
  readonly status: string;
  readonly reason_code: string;
  /** The code of the end that the handler returned. */
  readonly skill_code: string | null;
  readonly message: string;
  readonly result: Json;
  /** The step that orch asks about. */
  readonly unknown_step: string | null;
  readonly evidence: Evidence;
  readonly changes: readonly string[];
  /** What has been changed after the task had ended. */
  readonly later: readonly string[];
  readonly has_asked: boolean;
  /** What each has recorded. */
  readonly commits: readonly string[];
  readonly calls: readonly ChangingCall[];
};

export type Trials = {
  readonly test: Pick<SkillTest, "open" | "task" | "limit_seconds">;
  readonly openEngine: OpenTrialEngine;
};

const ID = "task";

export async function tryTask(trials: Trials, how: How = {}): Promise<Trial> {
  return withWorld(trials.test, (world) => {
    const contract = contractOf({ ...trials.test.task, ...how.task }, world);
    const engineOf = () => trials.openEngine({ directory: world.data_dir, env: world.env });
    return carryThrough(world, engineOf, { contract, ...how });
  });
}

export function contractOf(task: TriedTask, world: Pick<OpenWorld, "directory" | "servers" | "limit_s">): TaskContract {
  const { intent, payload = {}, target = {}, implicit_scope = Object.keys(world.servers) } = withDirectory(task, world);
  // The limit of the trial ends it first, and says where it hangs.
  const max_minutes = Math.ceil(world.limit_s / 60) + 1;
  const constraints = { implicit_scope: [...implicit_scope], require_approval_for: [], max_minutes };
  const asked = { requested_by: "orch skill test", requested_at: new Date().toISOString() };
  const fixed: Pick<TaskContract, "task_id" | "delegation_mode" | "success_criteria"> = {
    task_id: ID,
    delegation_mode: "known_only",
    success_criteria: [],
  };
  return { ...fixed, ...asked, intent, target: { ...target }, payload: JsonObject.parse(payload), constraints };
}

type TestedWorld = Pick<SkillTest, "open" | "limit_seconds">;

export type OpenWorld = Awaited<ReturnType<typeof openWorld>>;

export async function withWorld<T>(test: TestedWorld, use: (world: OpenWorld) => Promise<T>): Promise<T> {
  const world = await openWorld(test);
  try {
    return await use(world);
  } finally {
    await world.close();
  }
}

async function openWorld({ open, limit_seconds: limit_s = LIMIT_S }: TestedWorld) {
  const base = await mkdtemp(join(tmpdir(), "orch-skill-"));
  const [directory, data_dir] = [join(base, "world"), join(base, "data")];
  await Promise.all([mkdir(directory), mkdir(data_dir)]);
  const changed: string[] = [];
  const world = { directory, changed: (what: string) => void changed.push(String(what)) };
  const opened: Opened = await withLimit(limit_s, "`open` in test.ts", () => open(world));
  const calls: ChangingCall[] = [];
  const effects = { calls, act: async (_count: number): Promise<void> => undefined };
  const running = await startServers(opened, (call) => effects.act(calls.push(call)));
  const { env: own = {}, servers = {}, changes = () => [], close } = opened;
  const restore = withVariables(own);
  return {
    directory,
    data_dir,
    servers,
    limit_s,
    effects,
    env: { ...own, ...running.env },
    changes: async () => [...changed, ...(await withLimit(limit_s, "`changes` in test.ts", changes))],
    close: async () => {
      restore();
      await running[Symbol.asyncDispose]();
      await withLimit(limit_s, "`close` in test.ts", () => close?.());
      await rm(base, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The process of a skill has the variables of this one. */
function withVariables(given: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(given).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, given);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
}

type Ordered = How & { readonly contract: object };

async function carryThrough(world: OpenWorld, engineOf: () => Promise<TrialEngine>, how: Ordered): Promise<Trial> {
  const first = await engineOf();
  let isUp = true;
  const acted = Promise.withResolvers<null>();
  const act = async () => {
    if (how.act === "stop") isUp = false;
    await (how.act === "stop" ? first.stop() : first.call("cancel_task", { task_id: ID }).catch(() => undefined));
    acted.resolve(null);
  };
  const commits = watchCommits((count) => {
    if (count === how.after) void act();
  });
  world.effects.act = async (count) => {
    if (count === how.in_call) await act();
  };
  try {
    try {
      // An engine that stops does not answer: what became of the task shows when the next one recovers it.
      void first.call("submit_task", how.contract).catch((error: unknown) => {
        if (isUp) acted.reject(error);
      });
      const end = endOf({ engine: first, world, isUp: () => isUp, decision: how.decision ?? "approve" }, commits.done);
      const early = await (how.act === "stop"
        ? Promise.race([end, acted.promise])
        : Promise.race([end, failureOf(acted)]));
      if (early !== null) return early;
      // Its successor finds the database free.
      await acted.promise;
    } finally {
      const isStopped = !isUp;
      isUp = false;
      if (!isStopped) await first.stop();
    }
    const second = await engineOf();
    try {
      const end = await endOf({ engine: second, world, isUp: () => true, decision: "approve" }, commits.done);
      if (end === null) throw new Error("the second engine was not stopped");
      return end;
    } finally {
      await second.stop();
    }
  } finally {
    commits.stop();
  }
}

/** Rejects as the submission does, and never resolves. */
const failureOf = ({ promise }: PromiseWithResolvers<null>): Promise<never> =>
  promise.then(() => new Promise<never>(() => undefined));

type Watched = {
  readonly engine: TrialEngine;
  readonly world: OpenWorld;
  readonly isUp: () => boolean;
  readonly decision: "approve" | "reject";
};

const View = z.looseObject({
  status: z.string(),
  steps: z.array(z.looseObject({ index: z.int(), command: z.string(), status: z.string() })),
  result: z.json(),
  waiting: z.looseObject({ kind: z.string(), approval_id: z.string().optional() }).nullable(),
  outcome: z
    .looseObject({ reason_code: z.string(), message: z.string(), skill_code: z.string().optional() })
    .nullable(),
});

/** Null while the engine starts or stops. */
const viewOf = ({ call }: TrialEngine) =>
  call("get_task", { task_id: ID, wait_seconds: 1 }).then(
    (view) => View.parse(view),
    () => null,
  );

/** What a task is doing that has not ended in time. */
function hungIn(view: z.infer<typeof View> | null, limit_s: number): Hung {
  const step = view?.steps.findLast(({ status }) => status === "running");
  const found =
    step === undefined
      ? `the handler has not ended after ${limit_s} s, and is in no step that changes something: a step that only reads, or something else that it awaits, never ends`
      : `step ${step.index}, ${JSON.stringify(step.command)}, has not ended, and the task has run for ${limit_s} s`;
  const fix = "Let everything that it awaits end, or set `limit_seconds` in test.ts to what the task needs.";
  return new Hung(found, { limit_s, fix });
}

const SETTLED_MS = 30;

const ENDED: ReadonlySet<string> = new Set(["ok", "failed", "blocked", "cancelled", "need_input"]);

/** Answers every approval until the task has ended, or asks what nothing can answer here. Null when its engine was stopped before. */
async function endOf({ engine, world, isUp, decision }: Watched, done: readonly string[]): Promise<Trial | null> {
  let has_asked = false;
  const late = performance.now() + world.limit_s * 1_000;
  while (isUp()) {
    const view = await viewOf(engine);
    // A wait may outlast the engine, and what it then shows is asked of the next one.
    if (!isUp()) break;
    const isLate = performance.now() > late;
    if (isLate && (view === null || !ENDED.has(view.status))) throw hungIn(view, world.limit_s);
    if (view === null) await sleep(5);
    else if (view.outcome !== null && ENDED.has(view.status)) {
      const [commits, changes] = [[...done], await world.changes()];
      const evidence = (await engine.call("get_evidence", { task_id: ID })) as Evidence;
      await sleep(SETTLED_MS);
      const later = (await world.changes()).slice(changes.length);
      const { status, outcome } = view;
      const { reason_code, message, skill_code = null } = outcome;
      const unknown_step = view.steps.find((step) => step.status === "outcome_unknown")?.command ?? null;
      const result = withoutDirectory(view.result, world);
      const ended = { status, reason_code, message, skill_code, result, unknown_step, evidence };
      return { ...ended, changes, later, has_asked, commits, calls: world.effects.calls };
    } else if (view.waiting?.kind === "approval") {
      has_asked = true;
      const { approval_id } = view.waiting;
      await engine.call("approve", { approval_id, decision }).catch(() => undefined);
    }
  }
  return null;
}

type Traced = { readonly when: string; readonly kinds: readonly string[]; readonly events: readonly NewEvent[] };

/**
 * The commits of this process while a task is tried, and what each has recorded last. `done` has a short text for each commit.
 * `onCommit` hears how many there are.
 */
function watchCommits(onCommit: (count: number) => void) {
  const done: string[] = [];
  const names = new Map<number, string>();
  const textOf = (event: NewEvent): string => {
    if (event.kind === "skill_step_started") names.set(event.body.index, JSON.stringify(event.body.name));
    if (event.kind === "skill_step_started") return `step ${names.get(event.body.index)} begun`;
    if (event.kind === "skill_step_finished") return `step ${names.get(event.body.index)} ended`;
    return event.kind.replaceAll("_", " ");
  };
  const listen = (message: unknown) => {
    const { when, kinds, events } = message as Traced;
    if (when !== "after") return;
    done.push(events.map(textOf).at(-1) ?? kinds.join(", ").replaceAll("_", " "));
    onCommit(done.length);
  };
  subscribe("orch:commit", listen);
  return { done, stop: () => void unsubscribe("orch:commit", listen) };
}

/** What the trials of a skill ask of orch. src/app/trial-engine.ts makes one. */
export type TrialEngine = {
  /** Parses input and output, and refuses, as an endpoint does. */
  readonly call: (name: string, input: object) => Promise<unknown>;
  /** Steps are not waited for. */
  readonly stop: () => Promise<void>;
};

/** `directory` holds the database. Where another engine has left one, its tasks go on. */
export type OpenTrialEngine = (at: {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}) => Promise<TrialEngine>;

/** Uses a tool of the skill as an agent does; `value` of a failure is what it says. */
export type UseTool = (use: {
  readonly name: string;
  readonly given: Json;
  readonly contract: TaskContract;
  readonly env: Readonly<Record<string, string>>;
}) => Promise<{ readonly ok: boolean; readonly value: Json }>;

export const LIMIT_S = 60;

/** `found` is a sentence without its full stop. Every further case would take as long, so none is tried. */
export class Hung extends Error {
  override readonly name = "Hung";
  readonly limit_s: number;
  readonly fix: string;

  constructor(found: string, { limit_s, fix }: { readonly limit_s: number; readonly fix: string }) {
    super(found);
    this.limit_s = limit_s;
    this.fix = fix;
  }
}

/**
 * The limit of time of a trial: what never ends in a skill or in its test.ts fails, with what it was (D-278). `what` is a part of
 * test.ts, or the test.ts. What has not ended goes on, and nothing waits for it.
 */
export async function withLimit<T>(limit_s: number, what: string, work: () => Promise<T> | T): Promise<T> {
  const ended = new AbortController();
  const late = sleep(limit_s * 1_000, undefined, ended).then(
    () => {
      throw new Hung(`${what} has not ended after ${limit_s} s`, {
        limit_s,
        fix: `Let everything that ${what} awaits end.`,
      });
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work(), late]);
  } finally {
    ended.abort();
  }
}
