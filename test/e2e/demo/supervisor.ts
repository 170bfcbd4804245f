// The supervisor of the demo: prints what it sends over HTTP and what it receives.
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, OrchProcess } from "../../support/orch-process.ts";
import { only } from "./readable.ts";
import type { Story } from "./story.ts";

const PATIENCE_MS = 15_000;

/** The fields of a task that its supervisor looks at. */
export const TASK = ["status", "label", "outcome.reason_code", "outcome.message", "next"];
export const PROBLEM = ["code", "detail", "issues"];

export type Telling = {
  /** Fields of the request that are shown. Default: all. */
  readonly sent?: readonly string[];
  /** Fields of the answer that are shown. */
  readonly shown: readonly string[];
};

export type Supervisor = ReturnType<typeof createSupervisor>;

export function createSupervisor(orch: () => OrchProcess, story: Story) {
  let last: Answer | null = null;

  const told = (request: string, answer: Answer, { sent, shown }: Telling, body?: unknown): Answer => {
    story.sent(request, sent === undefined ? body : only(body, sent));
    story.answered(answer.status, only(answer.body, shown));
    return answer;
  };

  const get = async (path: string): Promise<Answer> => {
    last = await orch().get(path);
    return last;
  };

  return {
    get: async (path: string, shown: readonly string[]) => told(`GET ${path}`, await get(path), { shown }),
    post: async (path: string, body: unknown, telling: Telling) => {
      last = await orch().post(path, body);
      return told(`POST ${path}`, last, telling, body);
    },
    /** Repeats the request until the answer has arrived, and prints that answer only. */
    getUntil: async (path: string, arrived: (answer: Answer) => boolean, shown: readonly string[]) => {
      const until = Date.now() + PATIENCE_MS;
      let answer = await get(path);
      while (!arrived(answer)) {
        if (Date.now() > until) throw new Error(`GET ${path}: what was waited for did not come`);
        await sleep(50);
        answer = await get(path);
      }
      return told(`GET ${path}`, answer, { shown });
    },
    /** For a claim about data that the demo does not print. */
    look: get,
    lastAnswer: () => last,
  };
}
