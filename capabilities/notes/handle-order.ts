// Takes a contract to its end: checks the contract, selects the operation, and converts a fault of the notes server to an
// outcome.
import type { TaskContract } from "../../src/domain/contract.ts";
import type { SkillEnd } from "../../src/domain/skill.ts";
import { type FaultCode, NotesFault } from "./notes-server.ts";
import { readOrder } from "./operations.ts";
import { excerpt } from "./readable.ts";
import type { Work } from "./work.ts";

const MAX_MESSAGE = 4096;

export async function handleOrder(work: Work, { delegation_mode, payload }: TaskContract): Promise<SkillEnd> {
  if (delegation_mode !== "known_only") return unsuitable(delegation_mode);
  const order = readOrder(payload);
  if (!order.ok) return invalid(order.wrong);
  try {
    const end = await order.run(work);
    return { ...end, message: end.message.slice(0, MAX_MESSAGE).toWellFormed() };
  } catch (error) {
    if (error instanceof NotesFault) return endOfFault(error);
    throw error;
  }
}

const unsuitable = (mode: string): SkillEnd => ({
  status: "blocked",
  code: "contract_unsuitable",
  message: `This intent runs with delegation_mode known_only, and not with ${mode}: its operations are fixed.`,
  next: "submit it with delegation_mode known_only under a new task_id",
});

const invalid = (wrong: readonly string[]): SkillEnd => ({
  status: "blocked",
  code: "payload_invalid",
  message: `The payload cannot be carried out: ${wrong.join("; ")}.`.slice(0, MAX_MESSAGE).toWellFormed(),
  next: "correct these fields and submit under a new task_id",
});

/** What has to be done before another attempt can succeed: these block the task (D-128). */
const NEEDED: ReadonlyMap<FaultCode, string | null> = new Map([
  ["unknown_tools", null],
  ["too_long", "orch reads at most 4 MiB of a note at once: divide the note, or write to another one"],
  [
    "token_refused",
    "set MCP_NOTES_TOKEN to a token that the notes server takes, and start orch again; a server in front of the application has one of its own as well",
  ],
  [
    "host_refused",
    "name the notes server in MCP_NOTES_URL by the host name that it takes, such as localhost with its own port, or use a later version of it",
  ],
  ["disabled", "enable the MCP server in the options of the notes application"],
]);

/** What helps without a change. */
const LATER: ReadonlyMap<FaultCode, string> = new Map([
  ["application_down", "start the notes application that its server asks, then submit under a new task_id"],
  ["too_many_requests", "wait until the notes server takes requests again, then submit under a new task_id"],
]);

function endOfFault({ code, message }: NotesFault): SkillEnd {
  const next = NEEDED.get(code) ?? LATER.get(code);
  const status = NEEDED.has(code) ? "blocked" : "failed";
  return { status, code, message: `The notes server: ${excerpt(message)}`, ...(next !== undefined && { next }) };
}
