// A freeze: a switch over all servers. While it is open, no task that it holds takes its first step (D-319). Windows do the same by
// calendar, for intents that change something (D-321).
import { z } from "zod";
import { normalTarget, READ_ONLY_INTENTS, targetOfSignature } from "../../domain/contract.ts";
import type { StartableTask } from "../../domain/hold.ts";

export interface KeptFreezes {
  findFreeze(freeze_id: string): Promise<Freeze | null>;
  /** Open ones first, then the newest; `after` is the last freeze_id of the previous page. */
  listFreezes(query: { readonly limit: number; readonly after?: string | undefined }): Promise<Freeze[]>;
  /** The oldest first; `unreadable` are those whose rows are damaged, and which hold everything. */
  openFreezes(): Promise<{ readonly freezes: Freeze[]; readonly unreadable: readonly string[] }>;
}

export const FreezeId = z.string().regex(/^freeze-[0-9a-f]{8}$/, "must be the id of a freeze, such as freeze-1a2b3c4d");

export const Freeze = z.strictObject({
  freeze_id: FreezeId,
  intent: z.string().nullable().describe("holds tasks of this intent; null for every intent"),
  target_signature: z
    .string()
    .nullable()
    .describe("holds tasks whose target has these attributes; null for every target"),
  except_diagnostics: z.boolean().describe("whether diagnostic intents, which change nothing, start all the same"),
  reason: z.string(),
  frozen_by: z.string().describe("the token that was used, after the name of who used it at the console"),
  created_at: z.iso.datetime(),
  thawed_by: z.string().nullable(),
  thawed_at: z.iso.datetime().nullable().describe("null while it is open"),
});
export type Freeze = z.infer<typeof Freeze>;

export type FreezeScope = Pick<Freeze, "intent" | "target_signature" | "except_diagnostics">;
export type FreezeRequest = FreezeScope & Pick<Freeze, "reason">;
/** What a freeze was when it began, as its journal has it. */
type RecordedFreeze = FreezeRequest & Pick<Freeze, "frozen_by" | "created_at">;

/** A freeze for a target holds every task whose target has these attributes with these values, and any others. */
export function holds({ intent, target_signature, except_diagnostics }: FreezeScope, task: StartableTask): boolean {
  if (intent !== null && intent !== task.intent) return false;
  if (target_signature !== null && !hasAttributes(task.target_signature, target_signature)) return false;
  return !(except_diagnostics && READ_ONLY_INTENTS.has(task.intent));
}

// Earlier versions stored both as they were sent.
function hasAttributes(signature: string, wanted: string): boolean {
  const held = normalTarget(targetOfSignature(signature));
  return Object.entries(normalTarget(targetOfSignature(wanted))).every(([name, value]) => held[name] === value);
}

/** Asked for again, it is the same freeze. For another reason it is another one, and thawing the first leaves it. */
export const isSameFreeze = (one: FreezeRequest, other: FreezeRequest): boolean =>
  one.intent === other.intent &&
  one.target_signature === other.target_signature &&
  one.except_diagnostics === other.except_diagnostics &&
  one.reason === other.reason;

/** `every task`, `deploy on service=web`, `every task but diagnostics`. */
export function scopeText({ intent, target_signature, except_diagnostics }: FreezeScope): string {
  const what = intent ?? "every task";
  const on = target_signature === null ? "" : ` on ${target_signature}`;
  return `${what}${on}${except_diagnostics ? ", but not diagnostics" : ""}`;
}

/** What a commit changes of its row. */
export type FreezeChange =
  /** Does not hold while the same freeze is open. Once it is committed, no task that it holds takes its first step (D-320). */
  | { readonly on: "freeze_created"; readonly freeze: Freeze }
  /** Of an open freeze. `damaged` is what its row was, where that cannot be read. */
  | {
      readonly on: "freeze_thawed";
      readonly freeze_id: string;
      readonly set: Pick<Freeze, "thawed_by" | "thawed_at">;
      readonly damaged?: RecordedFreeze;
    };
