// list_sops, get_sop, export_sop, import_sop.
import { z } from "zod";
import { Intent } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { SOP_STATUSES, Sop } from "../domain/sop.ts";
import type { OperationDeps } from "./deps.ts";
import { Limit, operation, READ } from "./operation.ts";
import { diffOf, readSopFile, writeSopFile } from "./sop-file.ts";
import { teachSop } from "./teach.ts";

const SopId = z.uuid("must be the UUID of an SOP");

export const listSops = operation({
  name: "list_sops",
  summary: "Stored procedures, newest first.",
  method: "GET",
  path: "/v1/sops",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    intent: Intent.optional(),
    target_signature: z.string().max(8192).optional(),
    status: z.enum(SOP_STATUSES).optional(),
    limit: Limit,
    after: SopId.optional(),
  }),
  output: z.strictObject({ sops: z.array(Sop), next_after: z.string().nullable() }),
  handle: (deps) => async (query) => {
    const sops = await deps.store.listSops(query);
    return { sops, next_after: sops.length === query.limit ? (sops.at(-1)?.sop_id ?? null) : null };
  },
});

const Version = z.strictObject({
  sop_id: z.string(),
  version: z.int(),
  status: z.enum(SOP_STATUSES),
  created_at: z.string(),
});

export const getSop = operation({
  name: "get_sop",
  summary: "One SOP with the versions of its key and, on request, the difference to one of them.",
  method: "GET",
  path: "/v1/sops/{sop_id}",
  scope: "read",
  hints: READ,
  input: z.strictObject({ sop_id: SopId, diff_to: SopId.optional().describe("the version to compare with") }),
  output: z.strictObject({ sop: Sop, versions: z.array(Version), diff: z.string().nullable() }),
  handle:
    (deps) =>
    async ({ sop_id, diff_to }) => {
      const sop = await sopOf(deps, sop_id);
      const { intent, target_signature } = sop;
      const versions = await deps.store.listSops({ intent, target_signature, limit: 500 });
      return {
        sop,
        versions: versions.map(({ sop_id: id, version, status, created_at }) => ({
          sop_id: id,
          version,
          status,
          created_at,
        })),
        diff: diff_to === undefined ? null : diffOf(await sopOf(deps, diff_to), sop),
      };
    },
});

export const exportSop = operation({
  name: "export_sop",
  summary: "One SOP as a YAML file.",
  method: "GET",
  path: "/v1/sops/{sop_id}/file",
  scope: "read",
  hints: READ,
  input: z.strictObject({ sop_id: SopId }),
  output: z.strictObject({ file: z.string() }),
  handle:
    (deps) =>
    async ({ sop_id }) => ({ file: writeSopFile(await sopOf(deps, sop_id)) }),
});

export const importSop = operation({
  name: "import_sop",
  summary: "Store an SOP from its YAML file as a candidate and ask for its promotion.",
  method: "POST",
  path: "/v1/sops/import",
  scope: "teach",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({ file: z.string().min(1).max(1_000_000) }),
  output: z.strictObject({ sop: Sop, approval_id: z.string().nullable() }),
  handle:
    (deps) =>
    async ({ file }, { signal }) => {
      const { intent, target, ...definition } = readSopFile(file);
      return teachSop(deps, intent, target, definition, signal);
    },
});

async function sopOf({ store }: OperationDeps, sop_id: string): Promise<Sop> {
  const sop = await store.findSop(sop_id);
  if (sop === null) throw new OrchError("sop_not_found", `There is no SOP ${sop_id}.`);
  return sop;
}
