// An open tab of the console without a browser: reads the stream, and, where it is in view, reads the list of tasks anew after an event
// as often as the page does.
import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { logIn } from "../support/console.ts";
import { type OrchProcess, TOKEN } from "../support/orch-process.ts";

const TOGETHER_MS = 50;
const BETWEEN_MS = 150;

type OpenTab = {
  /** When it was sent the end of a task, by task. */
  readonly seen: ReadonlyMap<string, number>;
  /** How long each reading of the list took. */
  readonly took: readonly number[];
};

type How = { readonly reads: boolean; readonly signal: AbortSignal };

export async function openTab({ url }: Pick<OrchProcess, "url">, { reads, signal }: How): Promise<OpenTab> {
  const seen = new Map<string, number>();
  const list = reads ? await createList(url, signal) : null;
  const answer = await fetch(`${url}/console/events`, { headers: { authorization: `Bearer ${TOKEN}` }, signal });
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === "ready") resolve();
      if (event !== "task") return;
      list?.readSoon();
      const { task_id, status } = JSON.parse(data);
      if (status === "ok" && !seen.has(task_id)) seen.set(task_id, Date.now());
    },
  });
  const read = async () => {
    const text = new TextDecoder();
    for await (const part of answer.body ?? []) parser.feed(text.decode(part, { stream: true }));
  };
  const reading = read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  await Promise.race([ready, reading]);
  return { seen, took: list?.took ?? [] };
}

/** With a session of its own, as another person has one. */
async function createList(url: string, signal: AbortSignal) {
  const { headers } = await logIn(url, { token: TOKEN, name: "ada" });
  const took: number[] = [];
  let last = 0;
  let is_due = false;
  const read = async (): Promise<void> => {
    await sleep(Math.max(TOGETHER_MS, last + BETWEEN_MS - performance.now()), undefined, { signal });
    is_due = false;
    last = performance.now();
    const answer = await fetch(`${url}/v1/tasks?limit=100`, { headers, signal });
    if (!answer.ok) throw new Error(`the list answers with ${answer.status}`);
    await answer.text();
    took.push(performance.now() - last);
  };
  return {
    took,
    readSoon: (): void => {
      if (is_due) return;
      is_due = true;
      read().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
  };
}
