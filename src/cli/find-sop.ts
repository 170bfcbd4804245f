// Finds an SOP by its UUID, by the beginning of its UUID, or by a version number.
import { z } from "zod";
import { listSops } from "../features/procedures/shapes.ts";
import type { CallOperation } from "./client.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, failed } from "./failure.ts";
import { allPages } from "./lists.ts";

type Named = { readonly sop_id: string; readonly version: number };

export const allSops = (call: CallOperation, query: { readonly status?: string }) =>
  allPages(true, "sops", (after) => call(listSops, { ...query, limit: 500, after }));

/** The id of the SOP that `text` names. */
export async function findSopId({ call }: CommandContext, text: string): Promise<string> {
  if (isWhole(text)) return text;
  const all = await allSops(call, {});
  return oneOf(all.sops, text);
}

/** Searches the versions of one key only. A whole UUID may belong to another key. */
export const versionIn = (versions: readonly Named[], text: string): string =>
  isWhole(text) ? text : oneOf(versions, text);

const isWhole = (text: string): boolean => z.uuid().safeParse(text).success;

/** A version number takes precedence over the beginning of a UUID. */
function oneOf(sops: readonly Named[], text: string): string {
  const versions = sops.filter(({ version }) => String(version) === text);
  const matches = versions.length > 0 ? versions : sops.filter(({ sop_id }) => sop_id.startsWith(text.toLowerCase()));
  const [one, another] = matches;
  if (one !== undefined && another === undefined) return one.sop_id;
  if (one === undefined) {
    const detail = `There is no SOP ${text}.`;
    return failed({ exit: EXIT.refused, code: "sop_not_found", detail, fix: "See: orch sops" });
  }
  const candidates = matches.map(({ sop_id, version }) => `  ${sop_id}  version ${version}`);
  const detail = [`${text} may be any of these:`, ...candidates].join("\n");
  return failed({ exit: EXIT.refused, code: "sop_ambiguous", detail });
}
