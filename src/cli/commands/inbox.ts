// Runs orch inbox, which lists everything that waits for an answer with the commands that answer it, and orch messages.
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import { inForceLines } from "../../features/freeze/commands.ts";
import { type InboxItem, listInbox } from "../../operations/shapes/inbox.ts";
import { listMessages } from "../../operations/shapes/journal.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import { quarantineNotes } from "../lists.ts";
import { nextLines } from "../next-commands.ts";
import type { Out } from "../out.ts";
import { age, block, heading, indented, painted, reasonOf } from "../text-format.ts";
import { createPatientCall } from "../while-restarting.ts";

const Listed = z.object({ limit: z.string().optional() });

export const inbox = command(Listed, async (context, query) => {
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

// orch messages: lists the supervisor's messages after a cursor; --follow continues with new ones.

const PAGE = 500;
const ONE_WAIT_SECONDS = 50;

const Read = z.object({
  after: z.string().optional(),
  limit: z.string().optional(),
  follow: z.boolean().default(false),
});

export const messages = command(Read, async (context, { follow, after, limit }) => {
  const { call, out } = context;
  const result = await call(listMessages, { after, limit: limit ?? PAGE });
  if (follow) return followMessages(context, result);
  out.answer(result, () => linesOf(result, out));
  for (const line of quarantineNotes(result.quarantined)) out.note(line);
  if (result.messages.length > 0)
    out.note(`Show later messages: ${out.program} messages --after ${result.next_cursor}`);
  return EXIT.done;
});

type Page = z.output<(typeof listMessages)["output"]>;

const linesOf = ({ messages: list }: Page, out: Out): string[] =>
  list.length === 0 ? ["There are no messages."] : list.flatMap((message) => messageLines(message, out));

function messageLines(
  { cursor, thread_id, at, outcome }: Page["messages"][number],
  { paint, width, program }: Out,
): string[] {
  const { status, label, next } = outcome;
  return [
    ...heading([paint("dim", `${cursor}  ${at}`), paint("bold", thread_id), painted(paint, status, label)], width),
    ...indented(reasonOf(outcome), width),
    ...block({ paint, width: width === null ? null : width - 2 }, [["next", nextLines(next, program).join("\n")]]).map(
      (line) => `  ${line}`,
    ),
  ];
}

async function followMessages(context: CommandContext, first: Page): Promise<ExitCode> {
  const { out } = context;
  const call = createPatientCall(context, { has_answered: true });
  for (let page = first; ; ) {
    for (const message of page.messages) out.item(message, () => messageLines(message, out));
    const next = await call(listMessages, { after: page.next_cursor, limit: PAGE, wait_seconds: ONE_WAIT_SECONDS });
    page = next;
  }
}
