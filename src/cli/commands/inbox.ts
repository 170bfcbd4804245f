// orch inbox: everything that waits for an answer, with the commands that answer it.
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import { type InboxItem, listInbox } from "../../operations/shapes/inbox.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { nextLines } from "../next-commands.ts";
import type { Out } from "../out.ts";
import { inForceLines } from "../show-freeze.ts";
import { quarantineNotes } from "../show-quarantine.ts";
import { age, block, heading, indented } from "../text-format.ts";

const Given = z.object({ limit: z.string().optional() });

export const inbox = command(Given, async (context, query) => {
  const { call, clock, out } = context;
  const result = await call(listInbox, query);
  const { items, more, frozen, quarantined, notices } = result;
  out.answer(result, () => [
    ...inForceLines(frozen, out),
    ...(items.length === 0 ? ["Nothing waits for you."] : items.flatMap((item) => itemLines(item, clock(), out))),
  ]);
  for (const notice of notices) out.note(printable(notice));
  for (const line of quarantineNotes(quarantined)) out.note(line);
  if (more) out.note(`More wait: ${out.program} inbox --limit 500`);
  return EXIT.done;
});

function itemLines(
  { kind, thread_id, intent, target_signature, text, since, next }: InboxItem,
  now: Date,
  { paint, width, program }: Out,
) {
  return [
    ...heading(
      [
        paint("bold", thread_id),
        paint("yellow", kind),
        printable(`${intent} ${target_signature}`),
        paint("dim", `for ${age(since, now)}`),
      ],
      width,
    ),
    ...indented(text, width),
    ...block({ paint, width: width === null ? null : width - 2 }, [["next", nextLines(next, program).join("\n")]]).map(
      (line) => `  ${line}`,
    ),
  ];
}
