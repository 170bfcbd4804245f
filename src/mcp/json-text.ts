// Outputs as the JSON text that a model reads: without invisible characters, and no longer than clients accept.
import type { Fault } from "../schema/problem-document.ts";

/** Characters that a human does not see and a model reads, and those that begin a line. JSON escapes those below the space. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u007f-\u009f]/gu;

const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

export const visible = (text: string): string => text.replace(INVISIBLE, escaped);

/** The same value once it is parsed. */
export const jsonText = (value: unknown, indent?: number): string => visible(JSON.stringify(value, null, indent));

/** Clients on stdio read messages of 10 MiB. */
const MAX_MIB = 8;

/** Null when the result may be sent. */
export function tooLong(result: object): Fault | null {
  const mib = Buffer.byteLength(JSON.stringify(result)) / 1024 / 1024;
  if (mib <= MAX_MIB) return null;
  const detail = `This answer has ${Math.ceil(mib)} MiB; at most ${MAX_MIB} MiB are sent over MCP.`;
  const fix = "Give a smaller limit where there is one; read_journal gives everything of a task in parts.";
  return { code: "answer_too_long", detail, fix };
}
