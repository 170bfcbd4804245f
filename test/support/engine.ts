// orch as compose.ts puts it together, without the HTTP endpoint, on a database of its own: operations are called directly.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sopToolsOf } from "../../src/api/mcp/sop-tools.ts";
import { type AnyOperation, callOperation } from "../../src/api/operations/operation.ts";
import { compose } from "../../src/app/compose.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { secretsOf } from "../../src/config/secrets.ts";
import type { Change } from "../../src/domain/change.ts";
import { ownLabels, type TargetLabels, targetSignature } from "../../src/domain/contract.ts";
import { OrchError } from "../../src/domain/errors.ts";
import { type Sop, stepsDigest } from "../../src/domain/sop.ts";
import type { Step } from "../../src/domain/step.ts";
import type { Ability } from "../../src/execution/sandbox/sandbox-of-config.ts";
import type { AgentBackends } from "../../src/features/agents/backends.ts";
import { loadSkills } from "../../src/features/skills/process/find-skills.ts";
import { createJudges, type Judges } from "../../src/judge/thread-judge.ts";
import { createLog } from "../../src/log/log.ts";
import type { Clock, Store } from "../../src/ports.ts";
import { redactionOf } from "../../src/redact/find-secrets.ts";
import { openDatabase } from "../../src/store/database.ts";
import { sqlitePath } from "../../src/store/database-target.ts";
import { AT, contractBody, UNTRIED } from "./builders.ts";
import { writeMigrated } from "./database.ts";
import type { FaultyStore } from "./faulty-store.ts";
import { COMPILE_CACHE } from "./orch-process.ts";
import { WITHOUT_LOOKS } from "./without-looks.ts";

// As the program does: the process that runs commands starts from it.
enableCompileCache(COMPILE_CACHE);

/** One thread for all engines of a process, as no engine has protected paths of its own. */
const JUDGES = createJudges({ protected_paths: [] });

/** The skills of the checkout are looked at once for all engines of a process. */
const SHIPPED = new Map<number, ReturnType<typeof loadSkills>>();
function skillsOf(config: Config, parts: Parameters<typeof loadSkills>[1]) {
  if (config.capabilities.length > 0) return loadSkills(config, parts);
  const shipped = SHIPPED.get(config.skill_memory_mb) ?? loadSkills(config, parts);
  SHIPPED.set(config.skill_memory_mb, shipped);
  return shipped;
}

const CALLER = { token_id: "supervisor", signal: new AbortController().signal };

const GROUPS: Ability = { sandboxed: false, reason: "it is off here", visible: "it is off here" };

type Options = {
  /** Read like the server's environment, for example `{ ROUTING_MODEL: "m", ROUTING_URL: fake.base_url }`. */
  readonly env?: Readonly<Record<string, string>>;
  /** That of an engine that was shut down: this engine recovers what it left, as the server does when it starts. */
  readonly directory?: string;
  readonly agent_backends?: AgentBackends;
  /** Why an agent gets no shell on this engine. */
  readonly shell_fault?: string | null;
  /** How commands are kept apart; a process group for each when it is not given. */
  readonly ability?: Ability;
  /** Where commands find programs. */
  readonly path?: string;
  /** Judge in the place of the thread that all engines share. */
  readonly judges?: Judges;
  /** Makes faults between orch and its database. */
  readonly faults?: FaultyStore;
  /** What time it is for orch; its timers keep the machine's. */
  readonly clock?: Clock;
  /** The labels of targets, as their file has them. */
  readonly target_labels?: readonly TargetLabels[];
};

export async function openEngine(options: Options = {}) {
  const {
    env = {},
    directory: given,
    agent_backends = {},
    shell_fault = null,
    judges = JUDGES,
    ability = GROUPS,
  } = options;
  const { path, faults, clock } = options;
  const directory = given ?? (await mkdtemp(join(tmpdir(), "orch-engine-")));
  const config = readConfig({ ORCH_DATA_DIR: directory, HOME: directory, ...WITHOUT_LOOKS, ...env });
  const file = sqlitePath(config.database_url);
  if (file.startsWith(directory) && !existsSync(file)) await writeMigrated(file);
  const has = { host: "house", confines: shell_fault === null, has_engine: config.flow_engine !== null };
  const self = { name: "house", labels: ownLabels(config.labels, has) };
  const database = await openDatabase({ url: config.database_url, exclusive: true, self });
  const redaction = redactionOf(secretsOf(config));
  const { redact } = redaction;
  const log = createLog({ level: "silent", redact });
  const skills = await skillsOf(config, { log, redact });
  const orch = compose(config, database, {
    redaction,
    log,
    skills,
    judges,
    machine: { ability, path },
    place: { ...self, target_labels: options.target_labels ?? [], shellFault: async () => shell_fault },
    agent_backends,
    ...(faults !== undefined && { storeOn: faults.storeOn }),
    ...(clock !== undefined && { clock }),
  });
  const { engine, execution, features } = orch;
  const { store, commits, metrics, feed } = orch.observed;
  await engine.dispatcher.recover();
  await engine.promotions.reconcile();
  await engine.expiry.arm();
  const armFeatures = async () => {
    for (const { arm } of features) await arm?.();
  };
  // Not the schedules: those of a database that a test opens may be due.
  await features.find(({ name }) => name === "verification")?.arm?.();
  engine.looks.start();
  const { all: operations, intents } = orch.operations;
  const call = calling(operations);
  let isUp = true;
  const shutDown = async () => {
    if (!isUp) return;
    isUp = false;
    await orch.stop();
    await database.close();
  };

  return {
    directory,
    database,
    call,
    ...engine,
    release: engine.looks.release,
    cutOff: engine.threads.cutOff,
    store,
    metrics,
    feed,
    live: execution.live,
    features,
    operations,
    intents,
    sop_tools: sopToolsOf(config, {
      store,
      activeSopsChanged: commits.activeSopsChanged,
      skillOf: skills.skillOf,
      clock: clock ?? (() => new Date()),
      new_id: () => randomUUID(),
    }),
    stop: orch.stop,
    ...acts(call, store),
    ...tasksIn(directory, call),
    armFeatures,
    plant: planting(store),
    endTrial: endTrial(store),
    shutDown,
    isShut: () => !isUp,
    [Symbol.asyncDispose]: async () => {
      await shutDown();
      if (given === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export type Engine = Awaited<ReturnType<typeof openEngine>>;
type Call = ReturnType<typeof calling>;

/** Parses input and output, and refuses, as an endpoint does. */
function calling(table: readonly AnyOperation[]) {
  const operations = new Map(table.map((operation) => [operation.name, operation]));
  return async (name: string, input: object, caller = CALLER) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    return operation.output.parse(await callOperation(operation, input, caller));
  };
}

const acts = (call: Call, store: Store) => ({
  /** Submits and waits until the task ends or asks. */
  submit: (over: Record<string, unknown> = {}) => call("submit_task", { ...contractBody(over), wait_seconds: 30 }),
  /** The next approval of a thread that can be decided; a promotion's thread is `promotion/<sop_id>`. */
  approvalOf: async (thread_id: string) => {
    for (;;) {
      const { approvals } = await call("list_approvals", { thread_id, status: "pending" });
      if (approvals[0]?.interrupt_id != null) return approvals[0];
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  /** Stores an active SOP: taught without a task, promoted, and past its trial. */
  learn: async (intent: string, target: Record<string, string>, steps: readonly object[], over: object = {}) => {
    const { sop } = await call("teach", { intent, target, steps, ...over });
    const thread_id = `promotion/${sop.sop_id}`;
    for (;;) {
      const { approvals } = await call("list_approvals", { thread_id });
      if (approvals[0]?.interrupt_id != null)
        await call("approve", { approval_id: approvals[0].approval_id, decision: "approve" });
      const { sop: now } = await call("get_sop", { sop_id: sop.sop_id });
      if (now.status === "active") {
        await endTrial(store)(sop.sop_id);
        return now;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  /** The problem that a call is refused with. */
  refusal: async (name: string, input: object) => {
    const said: unknown = await call(name, input).then(
      (answer) => new Error(`${name} was not refused but answered ${JSON.stringify(answer)}`),
      (error: unknown) => error,
    );
    if (said instanceof OrchError) return said;
    throw said;
  },
});

/** As if a run had proved the version: most tests are about something else. */
const endTrial = (store: Store) => async (sop_id: string) => {
  const change: Change = { on: "sop", sop_id, expect: { status: "active" }, set: { trial_left: 0 } };
  await store.commit({ thread_id: `trial/${sop_id}`, after: null, events: [], changes: [change] });
};

/** Puts an active SOP into the store past every check, as if it had come there some other way. */
const planting =
  (store: Store) =>
  async (intent: string, target: Record<string, string>, steps: readonly Step[], over: Partial<Sop> = {}) => {
    const sop: Sop = {
      sop_id: randomUUID(),
      intent,
      target,
      target_signature: targetSignature(target),
      status: "active",
      version: 1,
      steps: [...steps],
      steps_digest: stepsDigest(steps),
      criteria: [],
      safety_level: "standard",
      preconditions: [],
      origin: "planted",
      last_success_at: null,
      success_count: 0,
      failure_count: 0,
      ...UNTRIED,
      created_at: AT,
      updated_at: AT,
      ...over,
    };
    await store.commit({ thread_id: sop.sop_id, after: null, events: [], changes: [{ on: "sop_created", sop }] });
    return sop;
  };

const tasksIn = (directory: string, call: Call) => {
  /** A target of that name; commands run in the engine's directory. */
  const targetOf = (service: string) => ({ service, compose_dir: directory });
  const contract = (name: string, over: Record<string, unknown> = {}) =>
    contractBody({ task_id: name, target: targetOf(name), ...over });
  return {
    targetOf,
    /** A contract whose task and target bear this name. */
    contract,
    /** Submits it and waits until the task ends or asks. */
    run: (name: string, over: Record<string, unknown> = {}) =>
      call("submit_task", { ...contract(name, over), wait_seconds: 30 }),
    /** Waits until the task ends or asks again. */
    outcomeOf: (task_id: string) => call("get_task", { task_id, wait_seconds: 30 }),
    /** A step that says when it has begun, and takes until it is let go. */
    holding: (name: string): Step => ({
      kind: "cmd",
      value: `echo x >> ${name}.begun; until test -e ${name}.go; do sleep 0.02; done`,
    }),
    begun: async (name: string) => {
      const file = join(directory, `${name}.begun`);
      while (!existsSync(file) || statSync(file).size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    letGo: (name: string) => writeFileSync(join(directory, `${name}.go`), ""),
    /** The lines that commands wrote to this file of the engine's directory. */
    linesOf: (name: string): string[] => {
      const file = join(directory, name);
      return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    },
  };
};
