// One GET of a short JSON answer from whoever is there, bounded in time and size.

type Answer = { readonly status: number; readonly body: unknown };
type Fault = { readonly fault: string; readonly refused: boolean };

const LIMIT_MS = 3_000;
const MAX_BYTES = 1_048_576;

/** A body that is no JSON is undefined. `refused`: nobody listens there. No redirect is followed. */
export async function getJson(url: string, headers: Record<string, string> = {}): Promise<Answer | Fault> {
  try {
    const options = { headers, redirect: "manual", signal: AbortSignal.timeout(LIMIT_MS) } as const;
    const response = await fetch(url, options);
    return { status: response.status, body: parsed(await textOf(response)) };
  } catch (error) {
    const code = codeOf(error);
    const fault = code === "TimeoutError" ? `no answer within ${LIMIT_MS / 1000} s` : code;
    return { fault, refused: code === "ECONNREFUSED" };
  }
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) throw new RangeError("the answer is too long");
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of the innermost cause: `fetch` itself only says that it failed. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const first = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (first instanceof Error) return codeOf(first);
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.name === "Error" ? error.message : error.name;
}
