// Handles what callers ask of stored procedures.
import {
  type HandlersOf,
  leftOut,
  type OperationHandler,
  type OperationRules,
} from "../../api/operations/operation.ts";
import { intentIssues } from "../../api/operations/submit-task.ts";
import { taskOf } from "../../api/operations/task-view.ts";
import { type Target, targetSignature } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import { hasEnded } from "../../domain/outcome.ts";
import { checkWorth } from "../../domain/proof.ts";
import { RECORD_RUNS, recordOf } from "../../domain/scorecard/record.ts";
import type { Sop } from "../../domain/sop.ts";
import type { Task } from "../../domain/task.ts";
import { sopOf, wasInUse } from "../../engine/tasks/active-sop.ts";
import { projection } from "../../engine/tasks/projection.ts";
import { targetLiterals } from "../../engine/tasks/sop-proof.ts";
import { rollbackOf } from "../../engine/tasks/sop-versions.ts";
import { definitionOf } from "../../engine/tasks/teaching.ts";
import { recordOfSop } from "../../engine/tasks/version-runs.ts";
import type { Store } from "../../ports.ts";
import { diffOf, readSopFile, writeSopFile } from "../../schema/sop-file.ts";
import { parametrised } from "./parametrised-step.ts";
import { type Proposal, proposeSop as propose } from "./propose-sop.ts";
import type {
  copySop,
  exportSop,
  getSop,
  importSop,
  listSops,
  PROCEDURE_SHAPES,
  proposeSop,
  rollbackSop,
} from "./shapes.ts";
import { handleTeach, teachSop } from "./teach.ts";

// Answers propose_sop: drafts a procedure from the run of an agent that has proved its result, as a file that can be imported.

const handleProposeSop: OperationHandler<typeof proposeSop> =
  (deps) =>
  async ({ task_id }) => {
    const task = await taskOf(deps, task_id);
    const { verdict, agent } = projection(await deps.store.readJournal(task_id));
    const isProved = task.status === "ok" && agent.finished !== null;
    if (verdict === null || !isProved) return notProved(task);
    const { contract } = task;
    const proposal = await deps.judge(propose, { contract, calls: agent.calls, verdict, home: deps.home });
    const { steps, criteria, checks, left_out, warnings, left_literal } = proposal;
    const { intent, target } = contract;
    const map = Object.fromEntries(criteria.map(({ criterion, step_index }) => [criterion, step_index]));
    const draft = { intent, target, safety_level: "standard" as const, preconditions: [], criteria: map, steps };
    const { issues } = await deps.judge(definitionOf, intent, target, draft, { home: deps.home, remote: false });
    const file = `${remarks(task_id, proposal)}${writeSopFile(draft)}`;
    return { draft, file, criteria, checks, left_out, warnings, left_literal, issues: [...issues] };
  };

/** Comments on top of the file, which no import reads: what its reader has to know. */
function remarks(task_id: string, { warnings, checks, left_literal }: Proposal): string {
  const lines = [
    `Drafted from the run of task ${task_id}.`,
    ...warnings.map((text) => `Warning: ${text}`),
    ...checks.map(({ step_index, ...check }) => `Check step ${step_index}: ${checkWorth(check)}`),
    ...left_literal.map(({ step_index, where, key, why }) => `Step ${step_index}, ${where}: ${key} is literal: ${why}`),
  ];
  return lines.map((line) => `# ${line.replace(/\p{C}/gu, "?")}\n`).join("");
}

function notProved({ task_id, status, delegation_mode }: Task): never {
  const current = { task_id, status, delegation_mode };
  if (delegation_mode !== "agent") {
    throw new OrchError("task_not_proved", `Task ${task_id} was not worked on by an agent.`, { current });
  }
  const why = hasEnded(status) ? "has proved nothing: only what was verified is worth a procedure" : "has not ended";
  throw new OrchError(hasEnded(status) ? "task_not_proved" : "task_not_ended", `Task ${task_id} ${why}.`, { current });
}

const handleListSops: OperationHandler<typeof listSops> = (deps) => async (query) => {
  const sops = await deps.store.listSops(query);
  const next_after = sops.length === query.limit ? (sops.at(-1)?.sop_id ?? null) : null;
  const ids = sops.map(({ sop_id }) => sop_id);
  const runs = await deps.store.readRuns(ids, RECORD_RUNS);
  const listed = sops.map((sop) => ({ ...sop, record: recordOf(runs.get(sop.sop_id) ?? []) }));
  return { sops: listed, next_after, quarantined: leftOut(deps, "sop") };
};

const handleGetSop: OperationHandler<typeof getSop> =
  (deps) =>
  async ({ sop_id, diff_to }) => {
    const sop = await sopOf(deps.store, sop_id);
    const { intent, target_signature } = sop;
    const versions = await deps.store.listSops({ intent, target_signature, limit: 500 });
    return {
      sop,
      versions: versions.map(({ sop_id: id, version, status, level, created_at }) => ({
        sop_id: id,
        version,
        status,
        level,
        created_at,
      })),
      record: await recordOfSop(deps.store, sop),
      diff: diff_to === undefined ? null : diffOf(await sopOf(deps.store, diff_to), sop),
    };
  };

const handleExportSop: OperationHandler<typeof exportSop> =
  (deps) =>
  async ({ sop_id }) => ({ file: writeSopFile(await sopOf(deps.store, sop_id)) });

const handleImportSop: OperationHandler<typeof importSop> =
  (deps) =>
  async ({ file }, { signal }) => {
    const { intent, target, ...definition } = readSopFile(file);
    return teachSop(deps, { intent, target, definition }, signal);
  };

const handleCopySop: OperationHandler<typeof copySop> =
  (deps) =>
  async ({ sop_id, target, with_parameters }, { signal }) => {
    const source = await sopOf(deps.store, sop_id);
    refuseUnless(source, target);
    const steps = with_parameters ? await deps.judge(parametrised, source, deps.home) : source.steps;
    const { intent, safety_level, preconditions, level, target_signature, proved_on } = source;
    const criteria = Object.fromEntries(source.criteria.map(({ criterion, step_index }) => [criterion, step_index]));
    const definition = { steps, criteria, safety_level, preconditions };
    const taught = {
      intent,
      target,
      definition,
      origin: { by: "copy", sop_id } as const,
      proved_on: level === "proved" ? target_signature : proved_on,
    };
    const stored = await teachSop(deps, taught, signal);
    return { ...stored, literals: targetLiterals(steps, source.target, target) };
  };

function refuseUnless({ sop_id, status, target_signature, version }: Sop, target: Target): void {
  const refuse = (code: "sop_conflict" | "input_invalid", path: string, message: string): never => {
    throw new OrchError(code, `orch did not copy SOP ${sop_id}. ${path}: ${message}`, { issues: [{ path, message }] });
  };
  if (status !== "active")
    refuse("sop_conflict", "sop_id", `version ${version} is ${status}; copy the active version of its key`);
  if (targetSignature(target) === target_signature)
    refuse("input_invalid", "target", "is the target of the procedure itself; name another one");
}

const handleRollbackSop: OperationHandler<typeof rollbackSop> =
  (deps) =>
  async ({ sop_id }, { signal }) => {
    const earlier = await sopOf(deps.store, sop_id);
    const fault = (await faultOf(deps.store, earlier)) ?? (await repetitionOf(deps.store, earlier));
    if (fault !== null) {
      const issues = [{ path: "sop_id", message: fault }];
      throw new OrchError("sop_conflict", `orch did not roll back to SOP ${sop_id}. sop_id: ${fault}`, { issues });
    }
    const { intent, target, steps, safety_level, preconditions, level, trial_left } = earlier;
    const criteria = Object.fromEntries(earlier.criteria.map(({ criterion, step_index }) => [criterion, step_index]));
    const definition = { steps, criteria, safety_level, preconditions };
    // The same steps on the same target: what a run has shown of them holds as far as it did.
    const taught = {
      intent,
      target,
      definition,
      origin: { by: "rollback", sop_id } as const,
      known: { level, trial_left },
    };
    const stored = await teachSop(deps, taught, signal);
    const rollback = await rollbackOf(deps.store, stored.sop);
    if (rollback === null) throw new Error(`SOP ${stored.sop.sop_id} is no rollback`);
    return { ...stored, rollback };
  };

async function faultOf(store: Store, sop: Sop): Promise<string | null> {
  const { version, status } = sop;
  if (status === "active")
    return `version ${version} is in use; name the earlier version whose steps are to be used again`;
  if (status === "candidate") return `version ${version} waits for its approval; approve it instead`;
  if (await wasInUse(store, sop)) return null;
  return `version ${version} was never in use; teach its steps instead`;
}

/** A second request would ask the same question again (D-023). */
async function repetitionOf(
  store: Store,
  { intent, target_signature, steps_digest, version }: Sop,
): Promise<string | null> {
  const versions = await store.listSops({ intent, target_signature, limit: 1000 });
  const same = versions.find((one) => one.status !== "deprecated" && one.steps_digest === steps_digest);
  if (same === undefined) return null;
  const is = same.status === "active" ? "is in use" : "waits for its approval";
  return `version ${same.version} has the steps of version ${version} and ${is}`;
}

export const PROCEDURE_HANDLERS: HandlersOf<typeof PROCEDURE_SHAPES> = {
  teach: handleTeach,
  list_sops: handleListSops,
  get_sop: handleGetSop,
  export_sop: handleExportSop,
  import_sop: handleImportSop,
  propose_sop: handleProposeSop,
  copy_sop: handleCopySop,
  rollback_sop: handleRollbackSop,
};

/** A candidate says at once what is wrong with its intent. */
export const PROCEDURE_RULES: OperationRules = {
  teach: (deps) => async (input) => intentIssues(deps)(input),
};
