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

/** Blocked when no further attempt can succeed (D-128). */
const BLOCKS: ReadonlySet<FaultCode> = new Set(["unsupported", "unknown_tools"]);

const endOfFault = ({ code, message }: NotesFault): SkillEnd => ({
  status: BLOCKS.has(code) ? "blocked" : "failed",
  code,
  message: `The notes server: ${excerpt(message)}`,
});
