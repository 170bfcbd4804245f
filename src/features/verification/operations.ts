// Answers record_verification: keeps the supervisor's own check of a finished task, with the evidence of it. Nothing of the
// evidence is opened or run here, and no secret of it is kept (D-306).
import { OrchError } from "../../domain/errors.ts";
import { hasEnded } from "../../domain/outcome.ts";
import { beginningOf, type GivenEvidence, MAX_EVIDENCE, type Verification } from "../../domain/verification.ts";
import { type HandlersOf, type OperationHandler, withName } from "../../operations/operation.ts";
import { setBackAsked, taskOf, viewOf } from "../../operations/task-view.ts";
import type { recordVerification, VERIFICATION_SHAPES } from "./shapes.ts";

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
