// orch as main.ts composes it, without the HTTP face, on a database of its own: operations are called directly.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/http/log.ts";
import { compose } from "../../src/main.ts";
import { createRedactor } from "../../src/redact.ts";
import { openDatabase } from "../../src/store/database.ts";
import { contractBody } from "./builders.ts";

const CALLER = { token_id: "supervisor", signal: new AbortController().signal };

/** `env` is read like the server's environment, for example `{ ROUTING_MODEL: "m", ROUTING_URL: fake.url }`. */
export async function openEngine({ env = {} }: { env?: Readonly<Record<string, string>> } = {}) {
  const directory = await mkdtemp(join(tmpdir(), "orch-engine-"));
  const config = readConfig({ ORCH_DATA_DIR: directory, HOME: directory, ...env });
  const database = await openDatabase({ url: config.database_url, exclusive: true });
  const redact = createRedactor([]);
  const orch = compose(config, database, redact, createLog({ level: "silent", redact }));
  const operations = new Map(orch.operations.map((operation) => [operation.name, operation]));

  /** Parses input and output as a face does. */
  const call = async (name: string, input: object) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    return operation.output.parse(await operation.handle(operation.input.parse(input), CALLER));
  };

  return {
    directory,
    database,
    call,
    ...orch,
    /** Submits and waits until the task ends or asks. */
    submit: (over: Record<string, unknown> = {}) => call("submit_task", { ...contractBody(over), wait_seconds: 30 }),
    /** The next approval of a thread that can be decided; a promotion's thread is `promotion/<sop_id>`. */
    approvalOf: async (thread_id: string) => {
      for (;;) {
        const { approvals } = await call("list_approvals", { thread_id, status: "pending" });
        if (approvals[0]?.interrupt_id != null) return approvals[0];
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    /** Stores an active SOP: taught without a task and promoted. */
    learn: async (intent: string, target: Record<string, string>, steps: readonly object[], over: object = {}) => {
      const { sop } = await call("teach", { intent, target, steps, ...over });
      const thread_id = `promotion/${sop.sop_id}`;
      for (;;) {
        const { approvals } = await call("list_approvals", { thread_id });
        if (approvals[0]?.interrupt_id != null)
          await call("approve", { approval_id: approvals[0].approval_id, decision: "approve" });
        const { sop: now } = await call("get_sop", { sop_id: sop.sop_id });
        if (now.status === "active") return now;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    [Symbol.asyncDispose]: async () => {
      await orch.stop();
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export type Engine = Awaited<ReturnType<typeof openEngine>>;
