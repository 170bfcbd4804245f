// Requests of a load test: sent over kept connections, timed, and their errors counted by kind.
import { Agent, type IncomingMessage, request } from "node:http";
import { TOKEN } from "../support/orch-process.ts";
import { ms, row, say } from "./table.ts";

type Send = {
  /** Of another server than the first. */
  readonly url?: string;
  readonly agent: Agent;
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
};

/** As many connections as there are requests at once, or a single one. */
export const connections = (most = Number.POSITIVE_INFINITY): Agent => new Agent({ keepAlive: true, maxSockets: most });

export function createTally(url: string) {
  const latencies = new Map<string, number[]>();
  const errors = new Map<string, number>();
  const fail = (kind: string, what: string) =>
    errors.set(`${kind}: ${what}`, (errors.get(`${kind}: ${what}`) ?? 0) + 1);

  const note = (kind: string, taken_ms: number): void => {
    const taken = latencies.get(kind) ?? [];
    latencies.set(kind, taken);
    taken.push(taken_ms);
  };

  /** The body of a 200 as text, else null with the error counted under its kind. `due`: when it was to be sent. */
  async function send(kind: string, asked: Send, due = performance.now()): Promise<string | null> {
    try {
      const { status, text } = await exchange(asked.url ?? url, asked);
      note(kind, performance.now() - due);
      if (status === 200) return text;
      fail(kind, `${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 80)}`);
    } catch (error) {
      fail(kind, error instanceof Error && "code" in error ? String(error.code) : String(error));
    }
    return null;
  }

  const percentile = (kind: string, share: number): number => atShare(sorted(latencies.get(kind) ?? []), share);
  return { send, note, fail, errors, percentile, print: () => print(latencies, errors) };
}

const sorted = (taken: readonly number[]): number[] => taken.toSorted((a, b) => a - b);
const atShare = (taken: readonly number[], share: number): number =>
  taken[Math.floor((taken.length - 1) * share)] ?? Number.NaN;

export type Tally = ReturnType<typeof createTally>;

function exchange(url: string, { agent, method = "GET", path, body }: Send): Promise<{ status: number; text: string }> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        answer += part;
      });
      response.on("error", reject).on("end", () => resolve({ status: response.statusCode ?? 0, text: answer }));
    };
    request(url + path, { agent, method, headers }, read)
      .on("error", reject)
      .end(text);
  });
}

function print(latencies: ReadonlyMap<string, number[]>, errors: ReadonlyMap<string, number>): void {
  for (const [kind, taken] of latencies) {
    const inOrder = sorted(taken);
    const at = (share: number): string => ms(atShare(inOrder, share));
    row(kind, ["requests", String(taken.length)], ["p50", at(0.5)], ["p95", at(0.95)], ["p99", at(0.99)]);
  }
  say(errors.size === 0 ? "  no errors" : "  errors:");
  for (const [what, count] of errors) say(`    ${count} x ${what}`);
}
