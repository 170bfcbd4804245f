// Which SOP is meant: a UUID is long to type, and versions are shown by their numbers.
import { z } from "zod";
import { listSops } from "../operations/shapes/sops.ts";
import { allPages } from "./all-pages.ts";
import type { Call } from "./client.ts";
import type { Context } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { failed, type Result, success } from "./failure.ts";

type Named = { readonly sop_id: string; readonly version: number };

export const allSops = (call: Call, query: { readonly status?: string }) =>
  allPages(
    true,
    (after) => call(listSops, { ...query, limit: 500, after }),
    (before, page) => ({ ...page, sops: [...before.sops, ...page.sops] }),
  );

/** Its id, from a UUID, the beginning of one, or the number of a version. */
export async function findSopId({ call }: Context, text: string): Promise<Result<string>> {
  if (isWhole(text)) return success(text);
  const all = await allSops(call, {});
  return all.ok ? oneOf(all.value.sops, text) : all;
}

/** The same among the versions of one key; a whole UUID may be of another one. */
export const versionIn = (versions: readonly Named[], text: string): Result<string> =>
  isWhole(text) ? success(text) : oneOf(versions, text);

const isWhole = (text: string): boolean => z.uuid().safeParse(text).success;

/** A number is a version before it is the beginning of a UUID. */
function oneOf(sops: readonly Named[], text: string): Result<string> {
  const versions = sops.filter(({ version }) => String(version) === text);
  const found = versions.length > 0 ? versions : sops.filter(({ sop_id }) => sop_id.startsWith(text.toLowerCase()));
  const [one, another] = found;
  if (one !== undefined && another === undefined) return success(one.sop_id);
  if (one === undefined) {
    const detail = `There is no SOP ${text}.`;
    return failed({ exit: EXIT.refused, code: "sop_not_found", detail, fix: "See: orch sops" });
  }
  const candidates = found.map(({ sop_id, version }) => `  ${sop_id}  version ${version}`);
  const detail = [`${text} may be any of these:`, ...candidates].join("\n");
  return failed({ exit: EXIT.refused, code: "sop_ambiguous", detail });
}
