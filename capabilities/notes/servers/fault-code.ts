// Names the cause of a failed call by the words of the error: of orch's client, of what is in front of the application, and of the
// application itself (D-128).
import { type FaultCode, NotesFault } from "../notes-server.ts";
import { head } from "./head.ts";

type Cause = {
  readonly code: FaultCode;
  readonly words: RegExp;
  /** Only where the request arrived: the same words without that mean that the server itself is not there. */
  readonly arrived?: true;
  /** In place of the server's words, which repeat what a token looks like. */
  readonly message?: string;
};

const CAUSES: readonly Cause[] = [
  {
    code: "token_refused",
    words: /^HTTP 401\b/,
    message: "HTTP 401: MCP_NOTES_TOKEN is missing, or is another than the server takes",
  },
  { code: "token_refused", words: /status code 401\b|\*\*Status\*\*: 401\b/ },
  { code: "host_refused", words: /^HTTP 40[03]\b.*\binvalid host\b/is },
  { code: "disabled", words: /^HTTP 403\b.*\bdisabled\b/is },
  { code: "too_many_requests", words: /^HTTP 429\b|status code 429\b|\*\*Status\*\*: 429\b/ },
  { code: "application_down", words: /^HTTP 50[234]\b|status code 50[234]\b/ },
  {
    code: "application_down",
    arrived: true,
    words: /\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|HOSTUNREACH|AI_AGAIN)\b|socket hang up|fetch failed/,
  },
  { code: "too_long", words: /the answer has more than \d+ bytes/ },
];

/** `otherwise` is the code of words that name no cause. */
export function faultOf(what: string, words: string, otherwise: FaultCode): NotesFault {
  const cause = CAUSES.find((one) => one.words.test(words) && (one.arrived !== true || otherwise === "refused"));
  return new NotesFault(cause?.code ?? otherwise, `${what}: ${cause?.message ?? head(words)}`);
}
