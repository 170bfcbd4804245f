// Asks the running server which of its tasks wait for the flow engine: what they wait for, since when, and how often orch asked.
import { z } from "zod";
import type { Env } from "../config/config.ts";
import { findConnection } from "../config/connection.ts";
import { JobWait } from "../domain/job.ts";
import { type Diagnosis, fallsBack } from "./diagnosis.ts";
import { getJson } from "./get-json.ts";

const MAX_TASKS = 20;

const Running = z.object({ tasks: z.array(z.object({ task_id: z.string(), backend: z.string() })) });
const Waiting = z.object({ waits_for: JobWait.extend({ tries: z.int() }).nullable() });

/** The diagnosis of the engine, with what the tasks of a server that answers wait for. */
export async function withWaits(found: Diagnosis, server: Promise<Diagnosis>, environment: Env): Promise<Diagnosis> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return found;
  const waits = await waitsOf(environment);
  if (waits.length === 0) return found;
  const text = [found.found, ...waits].join("\n");
  return found.state === "works" ? fallsBack(text, FIX) : { ...found, found: text };
}

const FIX =
  "Correct what is named. Until then orch asks again, and gives a job up after 15 minutes without an answer about it.";

async function waitsOf(environment: Env): Promise<string[]> {
  const { url, token } = await findConnection(environment);
  const headers = { authorization: `Bearer ${token.value ?? ""}` };
  const listed = await getJson(`${url}/v1/tasks?status=running&limit=100`, headers);
  const tasks = "fault" in listed ? [] : (Running.safeParse(listed.body).data?.tasks ?? []);
  const remote = tasks.filter(({ backend }) => backend === "flowengine").slice(0, MAX_TASKS);
  const lines = await Promise.all(
    remote.map(async ({ task_id }) => {
      const task = await getJson(`${url}/v1/tasks/${encodeURIComponent(task_id)}`, headers);
      const wait = "fault" in task ? null : (Waiting.safeParse(task.body).data?.waits_for ?? null);
      return wait === null
        ? []
        : [`task ${task_id} waits: ${wait.message}; since ${wait.since}, asked ${wait.tries} times`];
    }),
  );
  return lines.flat();
}
