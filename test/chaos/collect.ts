// Reads everything that the checker needs from a server that is left alone.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Bundle, type History, ListedTask, Message, StoredSop } from "./checker/history.ts";
import type { Client } from "./client.ts";

const Tasks = z.object({ tasks: z.array(ListedTask), next_after: z.string().nullable() });
const Sops = z.object({ sops: z.array(StoredSop), next_after: z.string().nullable() });
const Messages = z.object({ messages: z.array(Message), next_cursor: z.int() });
const Approvals = z.object({
  approvals: z.array(z.object({ approval_id: z.string(), thread_id: z.string() })),
  next_after: z.string().nullable(),
});

/** Resolves once no task is accepted or running, or after the time. */
export async function untilQuiet({ read }: Client, limit_ms: number): Promise<void> {
  for (const end = performance.now() + limit_ms; performance.now() < end; await sleep(250)) {
    const unfinished = await Promise.all(["accepted", "running"].map((status) => read(`/v1/tasks?status=${status}`)));
    if (unfinished.every((page) => Tasks.parse(page).tasks.length === 0)) return;
  }
}

type Collected = Pick<History, "tasks" | "bundles" | "full" | "sops" | "asked_promotions">;

export async function collect(client: Client): Promise<Collected> {
  const tasks = await pages(client, "/v1/tasks?limit=500", (page) => {
    const read = Tasks.parse(page);
    return { items: read.tasks, next: read.next_after };
  });
  const sops = await pages(client, "/v1/sops?limit=500", (page) => {
    const read = Sops.parse(page);
    return { items: read.sops, next: read.next_after };
  });
  const approvals = await pages(client, "/v1/approvals?status=pending&limit=500", (page) => {
    const read = Approvals.parse(page);
    return { items: read.approvals, next: read.next_after };
  });
  const bundles: Bundle[] = [];
  for (const { task_id } of tasks) bundles.push(Bundle.parse(await client.read(`/v1/tasks/${task_id}/evidence`)));
  const asked_promotions = approvals.map(({ thread_id }) => thread_id.replace(/^promotion\//, ""));
  return { tasks, sops, bundles, full: await messages(client), asked_promotions };
}

type Page<T> = { readonly items: readonly T[]; readonly next: string | null };

async function pages<T>({ read }: Client, path: string, parse: (page: unknown) => Page<T>): Promise<T[]> {
  const all: T[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const { items, next }: Page<T> = parse(await read(after === "" ? path : `${path}&after=${after}`));
    all.push(...items);
    after = next;
  }
  return all;
}

async function messages({ read }: Client): Promise<Message[]> {
  const all: Message[] = [];
  for (let after = 0; ; ) {
    const page = Messages.parse(await read(`/v1/messages?after=${after}&limit=500`));
    if (page.messages.length === 0) return all;
    all.push(...page.messages);
    after = page.next_cursor;
  }
}
