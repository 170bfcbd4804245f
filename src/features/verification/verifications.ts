// Verifies what is DONE by the diagnostic procedure that its contract names (D-309): submits the diagnostic task when its time has
// come, and records its verdict. Everything follows from the rows and journals, so a look may be repeated at any time: the id of the
// diagnostic task is derived, and a verdict is recorded only after the last event that was read. Records the supervisor's own check too.

import { type HandlersOf, type OperationHandler, withName } from "../../api/operations/operation.ts";
import { setBackAsked, taskOf, viewOf } from "../../api/operations/task-view.ts";
import { contractDigest, type TaskContract } from "../../domain/contract.ts";
import { isUnreadable, OrchError } from "../../domain/errors.ts";
import { hasEnded } from "../../domain/outcome.ts";
import type { Task } from "../../domain/task.ts";
import {
  beginningOf,
  diagnosticContract,
  diagnosticId,
  type GivenEvidence,
  MAX_EVIDENCE,
  type UnverifiedTask,
  type Verification,
  verifiedAt,
  verifiedId,
} from "../../domain/verification.ts";
import { ownSteps, settleVerification, verifierFault } from "../../engine/tasks/admission.ts";
import { type Projection, projection } from "../../engine/tasks/projection.ts";
import { everyPage } from "../../engine/worker/recovery.ts";
import type { Clock, Store, Timer } from "../../ports.ts";
import type { FeatureWork, RunningServer } from "../feature.ts";
import type { recordVerification, VERIFICATION_SHAPES } from "./shapes.ts";

type Deps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly timer: Timer;
  /** False where another task has the id. */
  readonly submit: (contract: TaskContract) => Promise<boolean>;
  readonly log: { error(details: object, message: string): void };
};

type Verifications = {
  /** Looks at once, and again when the next one is due. Call it at start. */
  readonly arm: () => Promise<void>;
  /** Call it with each task that has finished: it may want a verification, or be one. */
  readonly onFinished: (ended: Projection) => void;
  readonly stop: () => Promise<void>;
};

/** A clock that is set, or a commit whose response was lost, is noticed after this time. */
const LONGEST_PAUSE_MS = 30_000;

export function createVerifications(deps: Deps): Verifications {
  const { store, clock, timer, log } = deps;
  const unreadable = new Set<string>();
  let unset: () => void = () => undefined;
  let stopped = false;
  let running: Promise<void> | null = null;
  let again = false;

  async function look(): Promise<void> {
    unset();
    const tasks = await everyPage(
      (page) => store.listUnverified({ ...page, wants: "verify_by" }),
      ({ task_id }) => task_id,
    );
    let pause = LONGEST_PAUSE_MS;
    for (const task of tasks) {
      if (stopped) return;
      const due_in = Date.parse(verifiedAt(task.contract, task.ended_at)) - clock().getTime();
      if (due_in > 0) pause = Math.min(pause, due_in);
      else if (!unreadable.has(task.task_id)) await tryToSettle(task);
    }
    wake(pause);
  }
  const wake = (ms: number): void => {
    if (!stopped) unset = timer(() => void arm(), ms);
  };

  /** One that cannot be settled does not delay the others. */
  const tryToSettle = ({ task_id }: UnverifiedTask): Promise<void> =>
    settle(deps, task_id).catch((error: unknown) => {
      if (isUnreadable(error)) unreadable.add(task_id);
      log.error({ task_id, err: error }, "a task could not be verified by its procedure; trying again");
    });

  /** One look at a time; what comes while one runs is looked at after it. */
  function arm(): Promise<void> {
    again = true;
    running ??= looks().finally(() => {
      running = null;
    });
    return running;
  }
  async function looks(): Promise<void> {
    while (again && !stopped) {
      again = false;
      await look().catch((error: unknown) => {
        log.error({ err: error }, "tasks could not be verified by their procedures; trying again");
        wake(LONGEST_PAUSE_MS);
      });
    }
  }

  return {
    arm,
    onFinished: ({ accepted }) => {
      const contract = accepted?.contract;
      if (contract === undefined) return;
      const concerns = contract.verify_by !== undefined || verifiedId(contract.task_id) !== null;
      if (concerns && !stopped) void arm();
    },
    stop: async () => {
      stopped = true;
      unset();
      await running;
    },
  };
}

/** One step on: the diagnostic task is submitted, or its verdict recorded, or why there is none. */
async function settle(deps: Deps, task_id: string): Promise<void> {
  const { store } = deps;
  const task = await store.findTask(task_id);
  const contract = task?.ended_at == null ? null : diagnosticContract(task.contract, task.ended_at);
  if (task === null || contract === null || task.verification !== null) return;
  const journal = await store.readJournal(task_id);
  const own = projection(journal);
  const last = journal.at(-1);
  if (last === undefined || own.verification.recorded !== null || own.verification.missed !== null) return;
  const end = await endOf(deps, task, { contract, own });
  if (end === null) return;
  const { events, changes } = settleVerification(task, end, deps.clock().toISOString());
  // Where another event has come in between, the next look decides anew.
  await store.commit({ thread_id: task_id, after: last, events, changes });
}

type Ordered = { readonly contract: TaskContract; readonly own: Projection };

/** Null while the diagnostic task has not ended; it is submitted where there is none. */
async function endOf(deps: Deps, task: Task, { contract, own }: Ordered) {
  const { store } = deps;
  const missed = (message: string, diagnostic: Task | null = null) => ({ missed: message, diagnostic });
  const diagnostic = await store.findTask(diagnosticId(task.task_id));
  if (diagnostic === null) {
    const fault = await verifierFault(store, task.contract, ownSteps(own));
    if (fault !== null) return missed(fault);
    return (await deps.submit(contract)) ? null : missed(taken(contract));
  }
  if (diagnostic.contract_digest !== contractDigest(contract)) return missed(taken(contract));
  if (!hasEnded(diagnostic.status)) return null;
  return { diagnostic, ran: projection(await store.readJournal(diagnostic.task_id)), own };
}

const taken = ({ task_id }: TaskContract): string =>
  `another task has the id ${task_id}, under which the procedure would have run`;

export function startVerification(server: RunningServer): FeatureWork {
  const verifications = createVerifications({ ...server, submit: server.submitOwn });
  server.onFinished(verifications.onFinished);
  return {
    after_recovery: { what: "the verification by procedures", run: verifications.arm },
    arm: verifications.arm,
    stop: verifications.stop,
  };
}

// Answers record_verification: keeps the supervisor's own check of a finished task, with the evidence of it. Nothing of the
// evidence is opened or run here, and no secret of it is kept (D-306).

const MAX_SOURCE = 1024;
const MAX_NOTE = 4096;
/** Longer waits are left to the messages. */
const SCORING_MS = 2_000;

const handleRecordVerification: OperationHandler<typeof recordVerification> =
  (deps) =>
  async ({ task_id, verified, source, note = null, evidence }, caller) => {
    const { signal } = caller;
    const task = await taskOf(deps, task_id);
    // A mark may be longer than what it replaces.
    const kept = (text: string, most: number) => beginningOf(deps.redact(text), most);
    const body = {
      verified,
      source: kept(source, MAX_SOURCE),
      note: withName(note === null ? null : kept(note, MAX_NOTE), caller),
      ...(evidence !== undefined && { evidence: keptEvidence(evidence, (text) => kept(text, MAX_EVIDENCE)) }),
    };
    const result = await deps.store.commit({
      thread_id: task_id,
      after: "last",
      events: [{ kind: "verification_recorded", body }],
      changes: [
        {
          on: "task",
          task_id,
          expect: { status: ["ok", "failed", "blocked", "cancelled"] },
          set: { verification: { ...body, recorded_at: deps.clock().toISOString() } },
        },
      ],
    });
    if (result.ok) {
      // The version that it ran may be set back by it (D-294): the caller learns that at once. What fails here is tried again, and
      // then logged, by the keeper of the scores.
      await deps.scores.catchUp(SCORING_MS).catch(() => undefined);
      const recorded = await taskOf(deps, task_id);
      await setBackAsked(deps, recorded, signal);
      return viewOf(deps, recorded);
    }
    const message = hasEnded(task.status) ? "has just changed; look again" : "has not ended yet; verify it when it has";
    throw new OrchError("task_not_ended", `Task ${task_id} ${message}.`, {
      current: { task_id, status: task.status },
    });
  };

function keptEvidence(
  { text, url, command }: GivenEvidence,
  kept: (text: string) => string,
): NonNullable<Verification["evidence"]> {
  return {
    ...(text !== undefined && { text: kept(text) }),
    ...(url !== undefined && { url: kept(url) }),
    ...(command !== undefined && {
      command: { ...command, command: kept(command.command), output: kept(command.output) },
    }),
  };
}

export const VERIFICATION_HANDLERS: HandlersOf<typeof VERIFICATION_SHAPES> = {
  record_verification: handleRecordVerification,
};
