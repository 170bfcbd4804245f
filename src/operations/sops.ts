// list_sops, get_sop, export_sop, import_sop.
import { OrchError } from "../domain/errors.ts";
import { RECORD_RUNS, recordOf } from "../domain/scorecard/record.ts";
import type { Sop } from "../domain/sop.ts";
import { diffOf, readSopFile, writeSopFile } from "../schema/sop-file.ts";
import type { OperationDeps } from "./deps.ts";
import { leftOut, type OperationHandler } from "./operation.ts";
import type { exportSop, getSop, importSop, listSops } from "./shapes/sops.ts";
import { teachSop } from "./teach.ts";

export const handleListSops: OperationHandler<typeof listSops> = (deps) => async (query) => {
  const sops = await deps.store.listSops(query);
  const next_after = sops.length === query.limit ? (sops.at(-1)?.sop_id ?? null) : null;
  const ids = sops.map(({ sop_id }) => sop_id);
  const runs = await deps.store.readRuns(ids, RECORD_RUNS);
  const listed = sops.map((sop) => ({ ...sop, record: recordOf(runs.get(sop.sop_id) ?? []) }));
  return { sops: listed, next_after, quarantined: leftOut(deps, "sop") };
};

export const handleGetSop: OperationHandler<typeof getSop> =
  (deps) =>
  async ({ sop_id, diff_to }) => {
    const sop = await sopOf(deps, sop_id);
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
      record: await recordIn(deps, sop),
      diff: diff_to === undefined ? null : diffOf(await sopOf(deps, diff_to), sop),
    };
  };

/** As far as it is folded. */
export const recordIn = async ({ store }: Pick<OperationDeps, "store">, { sop_id }: Pick<Sop, "sop_id">) =>
  recordOf((await store.readRuns([sop_id], RECORD_RUNS)).get(sop_id) ?? []);

export const handleExportSop: OperationHandler<typeof exportSop> =
  (deps) =>
  async ({ sop_id }) => ({ file: writeSopFile(await sopOf(deps, sop_id)) });

export const handleImportSop: OperationHandler<typeof importSop> =
  (deps) =>
  async ({ file }, { signal }) => {
    const { intent, target, ...definition } = readSopFile(file);
    return teachSop(deps, { intent, target, definition }, signal);
  };

export async function sopOf({ store }: Pick<OperationDeps, "store">, sop_id: string): Promise<Sop> {
  const sop = await store.findSop(sop_id);
  if (sop === null) throw new OrchError("sop_not_found", `There is no SOP ${sop_id}.`);
  return sop;
}
