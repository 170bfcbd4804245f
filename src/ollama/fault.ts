// The reason why a response of the model was not used [7.8], as an error that the client library passes through unchanged.
import { z } from "zod";

const FaultCode = z.enum([
  "http_status",
  "model_error",
  "not_json",
  "wrong_shape",
  "unknown_category",
  "truncated",
  "no_tools",
  "bad_call",
]);
type FaultCode = z.infer<typeof FaultCode>;

const Word = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,40}$/);
const SystemError = z.object({ code: Word });

/** `detail` is a constant text, a number or a name of the configuration, never free text of the server, the model or a command. */
export const fault = (code: FaultCode, detail?: string | number): Error =>
  new Error(detail === undefined ? code : `${code}: ${detail}`, { cause: code });

export const isFault = (error: unknown, code: FaultCode): boolean => error instanceof Error && error.cause === code;

/** Maps the known error messages of Ollama to faults, null for others. The message itself is not passed on. */
export function knownFault(words: string): Error | null {
  if (words.includes("does not support tools")) return fault("no_tools");
  if (/context length|available context/.test(words)) return fault("truncated", "the question exceeds the context");
  if (/tool call|failed to parse/i.test(words)) return fault("bad_call", "a tool call could not be parsed");
  return null;
}

/**
 * A stable code, with a colon and a detail if there is one: `timeout`, `unreachable: ECONNREFUSED`, `http_status: 503`.
 * Messages of other errors are omitted: they may quote an address with its password or a text of the server.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unreachable";
  if (error.name === "TimeoutError") return "timeout";
  if (FaultCode.safeParse(error.cause).success) return error.message;
  const detail = SystemError.safeParse(error).data?.code ?? Word.safeParse(error.name).data;
  return detail === undefined ? "unreachable" : `unreachable: ${detail}`;
}
