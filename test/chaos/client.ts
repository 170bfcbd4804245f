// Requests to the server that is there now. An answer that is lost is null: the request may have had its effect.
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, TOKEN } from "../support/orch-process.ts";
import type { Random } from "./random.ts";

const PATIENCE_MS = 20_000;
const PAUSE_MS = 100;

export type Client = {
  readonly ask: (method: "GET" | "POST", path: string, body?: unknown) => Promise<Answer | null>;
  /** Asks until it is answered with 200. */
  readonly read: (path: string) => Promise<Answer["body"]>;
};

export function createClient(urls: () => string[], random: Random): Client {
  const ask: Client["ask"] = async (method, path, body) => {
    const [url] = random.shuffled(urls());
    if (url === undefined) {
      await sleep(PAUSE_MS);
      return null;
    }
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return null;
    }
  };
  return {
    ask,
    read: async (path) => {
      for (let tries = 0; tries < 600; tries++) {
        const answer = await ask("GET", path);
        if (answer?.status === 200) return answer.body;
        await sleep(PAUSE_MS);
      }
      throw new Error(`GET ${path} was not answered with 200 in 600 tries`);
    },
  };
}
