// Runs checks at once, each within its time: one that throws or takes too long is broken, one whose variables are not valid is not run.
import { parseJson } from "../domain/json-values.ts";
import { sendRequest } from "../http-client/request.ts";

/** `needs` matches the variables that must be valid before `look` runs. */
export type DoctorLook = {
  readonly name: string;
  readonly needs: RegExp;
  readonly look: () => Promise<Diagnosis>;
  /** For one that takes longer than LIMIT_MS. */
  readonly limit_ms?: number;
};

const LIMIT_MS = 8_000;
export const NOTHING = /$^/;

export const examine = (
  examinations: readonly DoctorLook[],
  wrong: ReadonlySet<string> = new Set(),
): Promise<DoctorCheck[]> => Promise.all(examinations.map((examination) => check(examination, wrong)));

async function check({ name, needs, look, limit_ms }: DoctorLook, wrong: ReadonlySet<string>): Promise<DoctorCheck> {
  const missing = [...wrong].filter((variable) => needs.test(variable));
  if (missing.length === 0) return { name, ...(await bounded(look, limit_ms)) };
  return { name, ...off(`not checked: ${missing.join(", ")} is not valid`, "Correct the configuration first.") };
}

/** A check that throws or takes too long counts as broken. */
export async function bounded(look: () => Promise<Diagnosis>, limit_ms = LIMIT_MS): Promise<Diagnosis> {
  const { promise: late, resolve } = Promise.withResolvers<Diagnosis>();
  const timer = setTimeout(() => resolve(broken(`no answer within ${limit_ms / 1000} s`, AGAIN)), limit_ms);
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    return broken(`could not be checked: ${error instanceof Error ? error.message : String(error)}`, AGAIN);
  } finally {
    clearTimeout(timer);
  }
}

const AGAIN = "Try again, and read the log of orch.";

export const redacted = <C extends Diagnosis>(found: C, redact: (text: string) => string): C => ({
  ...found,
  found: redact(found.found),
  fix: found.fix === null ? null : redact(found.fix),
});

// The result of one check, and its remedy. `off` means not in use, which is not a fault.

export type Diagnosis = {
  readonly state: "works" | "falls_back" | "broken" | "off";
  readonly found: string;
  /** Null when no action is needed. */
  readonly fix: string | null;
};

export type DoctorCheck = Diagnosis & { readonly name: string };

export const works = (found: string): Diagnosis => ({ state: "works", found, fix: null });
export const fallsBack = (found: string, fix: string): Diagnosis => ({ state: "falls_back", found, fix });
export const broken = (found: string, fix: string | null): Diagnosis => ({ state: "broken", found, fix });
export const off = (found: string, fix: string | null = null): Diagnosis => ({ state: "off", found, fix });

// Sends one GET for a short JSON answer, limited in time and size.

type JsonAnswer = { readonly status: number; readonly body: unknown };
type NoJsonAnswer = { readonly fault: string; readonly refused: boolean };

const ANSWER_LIMIT_MS = 3_000;
const MAX_BYTES = 1_048_576;

/** `body` is undefined when it is not JSON. `refused` means that nothing listens at the address. */
export async function getJson(url: string, headers: Record<string, string> = {}): Promise<JsonAnswer | NoJsonAnswer> {
  const answer = await sendRequest({ method: "GET", url, headers, limit_ms: ANSWER_LIMIT_MS, max_bytes: MAX_BYTES });
  if (answer.ok) return { status: answer.status, body: parseJson(answer.text) };
  const { system_code, message } = answer.fault;
  return { fault: system_code || message, refused: system_code === "ECONNREFUSED" };
}
