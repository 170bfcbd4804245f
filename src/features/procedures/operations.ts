// Handles what callers ask of stored procedures.

import {
  type HandlersOf,
  leftOut,
  type OperationHandler,
  type OperationRules,
} from "../../api/operations/operation.ts";
import { intentIssues } from "../../api/operations/submit-task.ts";
import { type Target, targetSignature } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import { RECORD_RUNS, recordOf } from "../../domain/scorecard/record.ts";
import type { Sop } from "../../domain/sop.ts";
import { sopOf, wasInUse } from "../../engine/tasks/active-sop.ts";
import { targetLiterals } from "../../engine/tasks/sop-proof.ts";
import { rollbackOf } from "../../engine/tasks/sop-versions.ts";
import { recordOfSop } from "../../engine/tasks/version-runs.ts";
import type { Store } from "../../ports.ts";
import { diffOf, readSopFile, writeSopFile } from "../../schema/sop-file.ts";
import { handleProposeSop } from "./draft-file.ts";
import { parametrised } from "./parametrised-step.ts";
import type { copySop, exportSop, getSop, importSop, listSops, PROCEDURE_SHAPES, rollbackSop } from "./shapes.ts";
import { handleTeach, teachSop } from "./teach.ts";

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
