// What a store reads of freezes.
import type { Freeze } from "./freeze.ts";

export interface KeptFreezes {
  findFreeze(freeze_id: string): Promise<Freeze | null>;
  /** Open ones first, then the newest; `after` is the last freeze_id of the previous page. */
  listFreezes(query: { readonly limit: number; readonly after?: string | undefined }): Promise<Freeze[]>;
  /** The oldest first; `unreadable` are those whose rows are damaged, and which hold everything. */
  openFreezes(): Promise<{ readonly freezes: Freeze[]; readonly unreadable: readonly string[] }>;
}
