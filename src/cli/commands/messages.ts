// orch messages: lists the supervisor's messages after a cursor; --follow continues with new ones.
import { z } from "zod";
import { listMessages } from "../../operations/shapes/journal.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { nextLines } from "../next-commands.ts";
import type { Out } from "../out.ts";
import { createPatientCall } from "../patient-call.ts";
import { quarantineNotes } from "../show-quarantine.ts";
import { block, heading, indented, painted, reasonOf } from "../text-format.ts";

const PAGE = 500;
const ONE_WAIT_SECONDS = 50;

const Given = z.object({
  after: z.string().optional(),
  limit: z.string().optional(),
  follow: z.boolean().default(false),
});

export const messages = command(Given, async (context, { follow, after, limit }) => {
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
