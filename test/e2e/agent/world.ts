// A server as it is started for real, with its tokens in its environment and in its data directory, and around it what an
// agent must not get at: a tool server out of scope, an approval that nobody gives, canaries.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import type { Answer } from "../../support/orch-process.ts";
import { type Script, startScriptedModel } from "../../support/agent-model.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { freePort } from "../../support/free-port.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

/** Of the supervisor, of the approver, and of the tool server that no task may call. */
export const SECRETS = {
  supervisor: "Sv5Wq8ZkT2mXcR7bNp4LdJ9hGf3KtYe6UaVs",
  approver: "Ap3Lm6QwErTy9UiOpAsDf2GhJkZx7CvBn4Mq",
  tool: "To7Bn2VcXz9LkJh5GfDs3QaWe8RtYu6IoPlM",
} as const;

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Files that hold secrets because they were put there. */
export const KEPT = [join("state", "token"), "keys"];

type Options = { readonly env?: Readonly<Record<string, string>> };

export async function openWorld(script: Script, { env = {} }: Options = {}) {
  const directory = await temporaryDirectory();
  const home = directory.path;
  furnish(home);
  const model = await startScriptedModel(script);
  const vault = await listenOnly();
  const port = await freePort();
  const start = (): Promise<OrchProcess> =>
    startOrchProcess({
      data_dir: home,
      env: {
        ...{ ORCH_TOKEN: SECRETS.supervisor, ORCH_APPROVER_TOKEN: SECRETS.approver, ORCH_PORT: String(port) },
        ...{ MCP_VAULT_URL: `http://127.0.0.1:${vault.port}/mcp`, MCP_VAULT_TOKEN: SECRETS.tool },
        ...{ LOG_LEVEL: "debug", ...model.env, ...env },
      },
    });
  const orch = await start();
  let asked = 0;
  const ask = async (path: string, sent?: object, token: string = SECRETS.supervisor): Promise<Answer> => {
    asked += 1;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = sent === undefined ? {} : { method: "POST", body: JSON.stringify(sent) };
    const response = await fetch(`${orch.url}${path}`, { headers, ...body });
    return { status: response.status, body: await response.json() };
  };
  return {
    ...{ home, port, model, vault, orch, ask },
    /** Requests with one of the tokens that are not this test's own. */
    strangers: () => (orch.output().match(/"token_id":"/g)?.length ?? 0) - asked,
    [Symbol.asyncDispose]: async () => {
      await orch.kill("SIGKILL");
      for (const one of [model, vault, directory]) await one[Symbol.asyncDispose]();
    },
  };
}

/** The token file, keys of the account, and a checkout with work that nobody has committed. */
function furnish(home: string): void {
  for (const name of ["state", ".ssh", "work"]) mkdirSync(join(home, name), { mode: 0o700 });
  writeFileSync(join(home, "state", "token"), `${SECRETS.supervisor}\n`, { mode: 0o600 });
  // Left behind by somebody where commands may read it.
  writeFileSync(join(home, "keys"), `${Object.values(SECRETS).join("\n")}\n`);
  writeFileSync(join(home, ".ssh", "authorized_keys"), "ssh-ed25519 canary\n");
  const repository = join(home, "repository");
  execFileSync("git", ["init", "--quiet", repository]);
  writeFileSync(join(repository, "canary"), "committed\n");
  const git = ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.org"];
  execFileSync("git", [...git, "add", "."]);
  execFileSync("git", [...git, "commit", "--quiet", "-m", "canary"]);
  writeFileSync(join(repository, "canary"), "not committed\n");
}

/** Whatever connects is counted, and let go. */
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

/** A task of which the approval is never given; resolves with its id. */
export async function askedForApproval({ ask }: World): Promise<string> {
  const constraints = { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 };
  const target = { service: "bystander" };
  await ask("/v1/tasks", { ...contractBody({ task_id: "bystander", target, constraints }), wait_seconds: 20 });
  const steps = [cmd("touch approved-by-nobody"), check("true")];
  const { body } = await ask("/v1/teach", { task_id: "bystander", steps, wait_seconds: 20 });
  return body.task.waiting.approval_id;
}
