// What the compiler finds in a skill, in short: of a call with several forms only what the last one says, which takes the most,
// and of a long text only the first and the last line.
import type typescript from "typescript";
import type { SkillFault } from "../skill-process/orders.ts";
import { CUT_OFF } from "../skill-process/step-arguments.ts";

type Compiler = typeof typescript;
type Message = string | typescript.DiagnosticMessageChain;

const NO_OVERLOAD = 2769;
const MAX_WORDS = 300;
/** The type of the third argument, in src/ports.ts. */
const OF_CUT_OFF = "of type 'CutOff<";

export function compilerFault(ts: Compiler, { file, start = 0, messageText }: typescript.Diagnostic): SkillFault {
  if (file === undefined) throw new Error(`typescript names no file: ${wordsOf(messageText)}`);
  const { line } = ts.getLineAndCharacterOfPosition(file, start);
  const why = wordsOf(messageText);
  const remedy = why.includes(OF_CUT_OFF) ? ` The third argument of ctx.step must be ${CUT_OFF}.` : "";
  return { file: file.fileName, line: line + 1, why: why + remedy };
}

function wordsOf(message: Message): string {
  const lines = linesOf(formOf(message)).map((line) => line.replaceAll(/\s+/g, " "));
  const words = lines.join(" ");
  return words.length <= MAX_WORDS || lines.length < 2 ? words : `${lines[0]} ... ${lines.at(-1)}`;
}

/** Of a call that fits no form: the forms follow, and what is wrong follows each. */
function formOf(message: Message): Message {
  if (typeof message === "string" || message.code !== NO_OVERLOAD) return message;
  return message.next?.at(-1)?.next?.[0] ?? message;
}

const linesOf = (message: Message): string[] =>
  typeof message === "string" ? [message] : [message.messageText, ...(message.next ?? []).flatMap(linesOf)];
