// Reads the cookie from a secret variable of the flow engine over its HTTP API [1.B.4].
import { z } from "zod";
import { exchange } from "../exchange.ts";
import { jsonIn } from "../json.ts";

export type FlowEngineVariable = {
  readonly url: string;
  readonly workspace: string;
  readonly token: string;
  /** For example f/voice/account_cookie. */
  readonly path: string;
};

const TIMEOUT_MS = 5_000;

const REASONS: ReadonlyMap<number, string> = new Map([
  [401, "the engine does not accept FLOWENGINE_TOKEN"],
  [403, "FLOWENGINE_TOKEN may not read it"],
  [404, "the engine has no such variable, or FLOWENGINE_TOKEN may not see it"],
]);

export type VariableReading =
  | { readonly ok: true; readonly value: string }
  /** `unanswered`: the value read before may still be right. `unreadable`: there may be a value, which cannot be read. */
  | { readonly ok: false; readonly reason: string; readonly unanswered?: boolean; readonly unreadable?: boolean };

export async function readFlowEngineVariable(variable: FlowEngineVariable): Promise<VariableReading> {
  const { url, workspace, token, path } = variable;
  const answer = await exchange({
    method: "GET",
    url: `${url.replace(/\/+$/, "")}/api/w/${workspace}/variables/get_value/${path}`,
    headers: { Authorization: `Bearer ${token}`, Accept: "application/json" },
    timeout_ms: TIMEOUT_MS,
  });
  if ("fault" in answer) return { ok: false, reason: `the engine did not respond (${answer.cause})`, ...UNANSWERED };
  const { status, text } = answer;
  if (status !== 200) {
    const reason = REASONS.get(status) ?? `the engine answered ${status}`;
    if (status >= 500 || status === 429) return { ok: false, reason, ...UNANSWERED };
    return { ok: false, reason, unreadable: status !== 404 };
  }
  const value = z.string().safeParse(jsonIn(text)).data;
  if (value !== undefined) return { ok: true, value };
  return { ok: false, reason: "the engine's answer is not a JSON string", unreadable: true };
}

const UNANSWERED = { unanswered: true, unreadable: true };
