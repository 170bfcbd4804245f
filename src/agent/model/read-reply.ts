// Reads what a model wrote, beside all that tools have said. It is a judgement of texts that others wrote (D-241): a hostile one
// takes a second for each million characters.
import type { AgentModel } from "../port.ts";
import { callsInText, type TextRead } from "./calls-in-text.ts";
import { ownCallsBeside } from "./quotations.ts";

type Question = Parameters<AgentModel["reply"]>[0];

/** Calls of the offered tools only. */
export const readReply = (written: string, beside: Question): TextRead =>
  callsInText(written, beside.tools, ownCallsBeside(beside));
