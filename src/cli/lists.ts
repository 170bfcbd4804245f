// Reads and shows lists: one page, or with --all every page joined into one, and what of it is in quarantine.
import { printable } from "../domain/printable.ts";
import type { Quarantined } from "../domain/quarantine.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, type ExitCode } from "./failure.ts";

// Reads one page of a list, or with --all every page, joined into one.

type Page<K extends string> = { readonly next_after: string | null } & Readonly<Record<K, readonly unknown[]>>;

/** `of` is the field that holds the records. */
export async function allPages<K extends string, P extends Page<K>>(
  all: boolean,
  of: K,
  read: (after: string | undefined) => Promise<P>,
): Promise<P> {
  let result = await read(undefined);
  while (all && result.next_after !== null) {
    const page = await read(result.next_after);
    result = { ...page, [of]: [...result[of], ...page[of]] };
  }
  return result;
}

type List = { readonly next_after: string | null; readonly quarantined: readonly Quarantined[] };

/** `name` is the command that has `--all`. */
export function showList({ out }: CommandContext, list: List, name: string, text: () => readonly string[]): ExitCode {
  out.answer(list, text);
  for (const line of quarantineNotes(list.quarantined)) out.note(line);
  if (list.next_after !== null) out.note(`There are more: ${out.program} ${name} --all`);
  return EXIT.done;
}

// Records of the database that cannot be read, as lines.

const NAMES = {
  task: "Task",
  sop: "SOP",
  approval: "Approval",
  schedule: "Schedule",
  freeze: "Freeze",
  event: "Event",
} as const;

export const quarantineNotes = (found: readonly Quarantined[]): string[] =>
  found.length === 0
    ? []
    : [
        ...found.map(({ record, id, fault }) => printable(`${NAMES[record]} ${id} is in quarantine: ${fault}`)),
        "What is in quarantine is left alone: restore a backup, or mend the rows, and start orch again.",
        "A task in quarantine keeps its target: look at the target, then `orch cancel ID` ends the task and frees it.",
      ];
