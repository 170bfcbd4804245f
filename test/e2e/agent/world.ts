// A server with its tokens in its environment and in its data directory, as in production, and what an agent must not
// reach: a tool server out of scope, an approval that is never given, canary files.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Script, startScriptedModel } from "../../support/agent-model.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { freePort } from "../../support/free-port.ts";
import { type Answer, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

/** The tokens of the supervisor, of the approver, and of the tool server that no task may call. */
export const SECRETS = {
  supervisor: "Sv5Wq8ZkT2mXcR7bNp4LdJ9hGf3KtYe6UaVs",
  approver: "Ap3Lm6QwErTy9UiOpAsDf2GhJkZx7CvBn4Mq",
  tool: "To7Bn2VcXz9LkJh5GfDs3QaWe8RtYu6IoPlM",
} as const;

export const CHECKOUT = join(import.meta.dirname, "../../..");

/** A text that only a contract holds, so that it is in the database and nowhere else. */
export const STORED = "only-in-the-database";

export type World = Awaited<ReturnType<typeof openWorld>>;

type Options = {
  readonly env?: Readonly<Record<string, string>>;
  /** Path below the home directory. Default: in the data directory. */
  readonly database?: string;
  /** Where the program `orch` keeps it, and empty, which takes longer; otherwise that of all tests. */
  readonly own_cache?: boolean;
};

export async function openWorld(script: Script, options: Options = {}) {
  const { env = {}, database = "state/orch.db", own_cache = false } = options;
  const directory = await temporaryDirectory();
  const home = directory.path;
  furnish(home);
  const model = await startScriptedModel(script);
  const vault = await listenOnly();
  const port = await freePort();
  const orch = await startOrchProcess({
    data_dir: home,
    env: {
      ORCH_TOKEN: SECRETS.supervisor,
      ORCH_APPROVER_TOKEN: SECRETS.approver,
      ORCH_PORT: String(port),
      MCP_VAULT_URL: `http://127.0.0.1:${vault.port}/mcp`,
      MCP_VAULT_TOKEN: SECRETS.tool,
      DATABASE_URL: `file:${join(home, database)}`,
      LOG_LEVEL: "debug",
      ...(own_cache && { NODE_COMPILE_CACHE: join(home, ".cache", "orch") }),
      ...model.env,
      ...env,
    },
  });
  const own: string[] = [];
  const ask = async (path: string, sent?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${SECRETS.supervisor}`, "content-type": "application/json" };
    const body = sent === undefined ? {} : { method: "POST", body: JSON.stringify(sent) };
    const response = await fetch(`${orch.url}${path}`, { headers, ...body });
    own.push(response.headers.get("x-request-id") ?? "none");
    return { status: response.status, body: await response.json() };
  };
  const carryOut = async (contract: { readonly task_id: string }): Promise<Answer["body"]> => {
    let { body: task } = await ask("/v1/tasks", { ...contract, wait_seconds: 30 });
    while (task.status === "accepted" || task.status === "running")
      task = (await ask(`/v1/tasks/${contract.task_id}?wait_seconds=30`)).body;
    return task;
  };
  return {
    home,
    port,
    model,
    vault,
    orch,
    ask,
    /** Submits the task and waits until it has ended or asks. */
    carryOut,
    /** The log lines of authenticated requests that this test did not send. */
    strangers: (): string[] =>
      orch
        .output()
        .split("\n")
        .filter((line) => line.includes('"token_id":"') && !own.some((id) => line.includes(id))),
    [Symbol.asyncDispose]: async () => {
      await orch.kill("SIGKILL");
      for (const one of [model, vault, directory]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Creates the token file, keys of the account, and a checkout with uncommitted work. */
function furnish(home: string): void {
  for (const name of ["state", "database", ".ssh", "places"]) mkdirSync(join(home, name), { mode: 0o700 });
  writeFileSync(join(home, "state", "token"), `${SECRETS.supervisor}\n`, { mode: 0o600 });
  writeFileSync(join(home, ".ssh", "authorized_keys"), "ssh-ed25519 canary\n");
  const repository = join(home, "repository");
  execFileSync("git", ["init", "--quiet", repository]);
  writeFileSync(join(repository, "canary"), "committed\n");
  const git = ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.org"];
  execFileSync("git", [...git, "add", "."]);
  execFileSync("git", [...git, "commit", "--quiet", "-m", "canary"]);
  writeFileSync(join(repository, "canary"), "not committed\n");
}

/** Counts connections, and closes each at once. */
async function listenOnly() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined).destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** Creates a task whose approval is never given; resolves with the approval's id. */
export async function askedForApproval({ ask }: Pick<World, "ask">): Promise<string> {
  const constraints = { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 };
  const target = { service: "bystander" };
  const contract = contractBody({ task_id: "bystander", target, constraints, payload: { mark: STORED } });
  await ask("/v1/tasks", { ...contract, wait_seconds: 20 });
  const steps = [cmd("touch not-approved"), check("test -d /")];
  const { body } = await ask("/v1/teach", { task_id: "bystander", steps, wait_seconds: 20 });
  return body.task.waiting.approval_id;
}
