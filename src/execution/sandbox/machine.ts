// Finds out what this machine can do for the sandboxes of commands, by running real commands in them: whether steps get a pid namespace and
// what hides the files of orch (D-061, D-253), whether commands of agents can be confined, and whether an empty machine can be made. Where it
// cannot, the server falls back and warns, or refuses what the operator requires.
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { chown, constants, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OrchError } from "../../domain/errors.ts";
import { createControl, createControlProbe } from "../local/control/control.ts";
import { baseEnvironment, isAllowed } from "../local/environment.ts";
import { openAgentNetwork } from "../local/network/agent-network.ts";
import { createProxy } from "../local/network/proxy.ts";
import { createRunCommand, type RunCommand } from "../local/run-command.ts";
import { createCommandRunner } from "../local/runner/command-runner.ts";
import { filteringCalls } from "./call-filter.ts";
import { createLaunch } from "./launcher.ts";
import { programIn } from "./programs.ts";
import { PLAIN_STEP, type Sandbox, type StepLimits } from "./sandbox.ts";
import {
  type Ability,
  type AgentInput,
  agentSandbox,
  orchFiles,
  type PlainInput,
  plainStep,
} from "./sandbox-of-config.ts";
import { createSpaces, hidingFault } from "./spaces.ts";

const NEVER = new AbortController().signal;

type SandboxMode = "auto" | "off" | "required";

const LIMIT_MS = 10_000;
// In a /proc of the namespace, this bash finds itself as a child of process 1.
const PROBE = 'read -r pid _ < /proc/self/stat; [[ $PPID == 1 && $pid == "$$" ]]';

/**
 * In its own namespace an account other than root has no sudo, and files of root appear to belong to `nobody`, so ssh refuses
 * its configuration. Such an account must set `required`.
 */
const COSTS = "in one, sudo and ssh do not work for an account other than root";

function reasonAgainst(mode: SandboxMode, uid: number | undefined): string | null {
  if (mode === "off") return "ORCH_SANDBOX is off";
  return mode === "auto" && uid !== 0 ? COSTS : null;
}

/** What steps are kept in here. Rejects with `config_invalid` when this machine cannot do what the operator requires. */
export async function abilityHere(
  mode: SandboxMode,
  limits: StepLimits,
  uid: number | undefined = process.getuid?.(),
): Promise<Ability> {
  const inNamespace: Sandbox = { ...PLAIN_STEP, processes: "pid_namespace" };
  const fault = reasonAgainst(mode, uid) ?? (await faultOf(inNamespace, PROBE));
  if (fault !== null && mode === "required") throw refused(fault);
  const limitFault = await faultOf({ ...(fault === null ? inNamespace : PLAIN_STEP), limits }, "true");
  if (limitFault !== null) throw unusable(limitFault);
  if (fault === null) return { sandboxed: true, reason: null, visible: null };
  return { sandboxed: false, reason: fault, visible: mode === "off" ? fault : await hidingFault() };
}

/** The fault of running the script, null when it ran. */
async function faultOf(plain: Sandbox, script: string): Promise<string | null> {
  const place = { cwd: "/", env: baseEnvironment({ home: "/" }) };
  const command = { script, strict: true, ...place, limit_ms: LIMIT_MS, grace_ms: 0 };
  const end = await createRunCommand({ plain })(command, NEVER);
  if (!end.ran) return end.reason;
  if (end.exit_code === 0 && end.stopped === null) return null;
  return end.stderr.text.trim() || `a test command ended with ${end.stopped ?? end.signal ?? end.exit_code}`;
}

const unusable = (fault: string) =>
  new OrchError("config_invalid", `No step could run, because this account cannot run "true": ${fault}`, {
    fix: "Is there a /bin/bash, and are the ORCH_STEP_ limits within those of this account?",
  });

const refused = (fault: string) =>
  new OrchError("config_invalid", `ORCH_SANDBOX is required, but no pid namespace can be made here: ${fault}`, {
    fix: "Install bubblewrap and allow this account to create namespaces, or set ORCH_SANDBOX to auto or off.",
  });

export const hasBubblewrap = (): boolean => existsSync("/usr/bin/bwrap");

/** Why steps can read the secrets of this server; null where they cannot. */
export function exposureOf({ sandboxed, reason, visible }: Ability, uid = process.getuid?.()): string | null {
  if (visible !== null || sandboxed || uid !== 0) return visible;
  return `root looks through /proc, because there is no pid namespace: ${reason}`;
}

type Accepting = { readonly approver_token: string | null; readonly accept_readable_tokens: "on" | "off" };

/** Throws `config_invalid` where a step could read the approver token, and so approve. */
export function refuseReadableApprover({ approver_token, accept_readable_tokens }: Accepting, ability: Ability): void {
  const exposure = exposureOf(ability);
  if (approver_token === null || accept_readable_tokens === "on" || exposure === null) return;
  const message = `A step could read ORCH_APPROVER_TOKEN and approve with it (${exposure}).`;
  throw new OrchError("config_invalid", message, {
    issues: [{ path: "ORCH_APPROVER_TOKEN", message: "can be read by steps" }],
    fix: "Allow this account to create user namespaces and unset ORCH_SANDBOX, or accept it: ORCH_ACCEPT_READABLE_TOKENS=on.",
  });
}

const SECRETS_LIMIT_MS = 6_000;
const READ_SECRETS = programIn(import.meta.dirname, "readable-secrets.sh");

/** What orch keeps and a step of this configuration can read: it tries each. Rejects when it cannot be tried. */
export async function readableSecrets(config: PlainInput, ability: Ability): Promise<string[]> {
  const env = baseEnvironment({ home: homedir() });
  const runner = createCommandRunner(env, { plain: plainStep(config, ability), running_dir: null });
  const places = { SERVER: String(process.pid), PLACES: orchFiles(config).join("\n") };
  const around = { cwd: "/", env: { ...env, ...places }, limit_ms: SECRETS_LIMIT_MS, grace_ms: 0 };
  try {
    const end = await runner.runCommand({ script: READ_SECRETS, strict: false, ...around }, NEVER);
    if (!end.ran) throw new Error(end.reason);
    if (end.exit_code !== 0) throw new Error(end.stderr.text.trim() || `it ended with ${end.signal ?? end.exit_code}`);
    const read = new Set(end.stdout.text.split("\n").filter((line) => line !== ""));
    return [...read, ...hardLinked(config.secret_paths)];
  } finally {
    runner.close();
  }
}

/** Files with a hard link: a step can read them under their other name, which nothing knows. */
const hardLinked = (paths: readonly string[]): string[] =>
  paths.filter((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && found.nlink > 1;
  });

const CONFINED_LIMIT_MS = 20_000;
const TRY_CONFINEMENT = programIn(import.meta.dirname, "try-confinement.sh");

/** Why no command of an agent can be confined here and have a network of its own, null when it can. One tries to reach what it must not. */
export async function agentShellFault(config: AgentInput): Promise<string | null> {
  const network = await openAgentNetwork(NO_WAY_OUT, []);
  if ("fault" in network) return network.fault;
  const place = await mkdtemp(join(tmpdir(), "orch-confined-"));
  try {
    const key = randomUUID();
    await mkdir(join(place, "directory"));
    for (const name of ["directory/key", "file", "open"]) await writeFile(join(place, name), `${name} ${key}\n`);
    const agent = agentSandbox(config);
    const { hidden, writable, account } = agent;
    if (account !== null) await chown(place, account.uid, account.gid);
    const tried = ["directory", "file"].map((name) => join(place, name));
    const sandbox: Sandbox = {
      ...agent,
      network: network.entry,
      hidden: [...hidden, ...tried],
      writable: [...writable, place],
      limits: PLAIN_STEP.limits,
    };
    const around = { cwd: place, env: baseEnvironment({ home: homedir() }), limit_ms: CONFINED_LIMIT_MS, grace_ms: 0 };
    const run = createRunCommand({ launch: createLaunch({ spaces: createSpaces() }) });
    const end = await run({ script: TRY_CONFINEMENT, strict: false, ...around, sandbox }, NEVER);
    if (!end.ran) return end.reason;
    const said = end.stdout.text.trim();
    if (said === `open ${key}`) return null;
    if (said.includes(`key ${key}`) || said.includes(`file ${key}`)) return READABLE;
    return said === ""
      ? `a test command ended with ${end.stopped ?? end.signal ?? end.exit_code}`
      : `a test command was not confined as it has to be: ${said.replace(`open ${key}\n`, "")}`;
  } finally {
    network.close();
    await rm(place, { recursive: true, force: true });
  }
}

const NO_WAY_OUT = createProxy(async () => ({ status: 403, sentence: "There is no way out." }));

const READABLE = "a test command could read what must be hidden from it";

/** Whether the system calls of agents' commands are filtered. */
export const filtersCalls = (): boolean => filteringCalls().length > 0;

/** Why no empty machine can be made within what plain steps are kept in, null when it can. */
export function emptyMachineFault(
  { sandboxed }: Pick<Ability, "sandboxed">,
  limits: StepLimits,
  runCommand: RunCommand = createRunCommand(),
): Promise<string | null> {
  const plain: Sandbox = { ...PLAIN_STEP, processes: sandboxed ? "pid_namespace" : "process_group", limits };
  return createControlProbe(createControl({ runCommand, plain }))();
}

// Conditions of this machine that make a wrong step worse than necessary. The server warns at start and never refuses. Warnings are data, so
// that each caller decides what to do with them.

export type MachineWarning = {
  readonly code: "running_as_root" | "docker_socket_reachable" | "no_pid_namespace" | "orch_visible" | "secret_linked";
  readonly message: string;
};

export type MachineFacts = {
  /** Undefined on systems without user ids. */
  readonly uid: number | undefined;
  /** DOCKER_HOST in the server's environment. */
  readonly docker_host: string | undefined;
  readonly ability: Ability;
  /** Files and directories with secrets. */
  readonly secret_paths?: readonly string[];
};

const DOCKER_SOCKET = "unix:///var/run/docker.sock";

export async function findMachineWarnings(machine: MachineFacts): Promise<MachineWarning[]> {
  const { uid, docker_host, ability, secret_paths = [] } = machine;
  const docker = docker_host || DOCKER_SOCKET;
  const exposure = exposureOf(ability, uid);
  const linked = hardLinked(secret_paths);
  const warnings: (MachineWarning | false)[] = [
    uid === 0 && {
      code: "running_as_root",
      message:
        "orch runs as root, and so does every step: a step can unmount what hides the tokens of orch from it, and approve with them. Run orch under a separate account.",
    },
    (await isReachable(docker)) && {
      code: "docker_socket_reachable",
      message: `steps can reach Docker at ${docker}, which is as good as root on its machine: put a filtering proxy before the socket, or take this account out of the docker group if no step needs it.`,
    },
    !ability.sandboxed && {
      code: "no_pid_namespace",
      message: `steps run without a pid namespace (${ability.reason}): what leaves its process group outlives its step; install bubblewrap and set ORCH_SANDBOX to required.`,
    },
    exposure !== null && {
      code: "orch_visible",
      message: `steps can read the tokens, the files with secrets, the database and the environment of this server (${exposure}): any step can approve another task with them; allow this account to create user namespaces, or run orch under another account.`,
    },
    linked.length > 0 && {
      code: "secret_linked",
      message: `steps can read a secret under another name, because it has a hard link (${linked.join(", ")}): write each of these files anew.`,
    },
  ];
  return warnings.filter((warning) => warning !== false);
}

async function isReachable(docker_host: string): Promise<boolean> {
  if (!URL.canParse(docker_host)) return false;
  const { protocol, hostname, port, pathname } = new URL(docker_host);
  if (protocol === "tcp:") return canConnect(hostname, Number(port || 2375));
  if (protocol !== "unix:") return false;
  return isAllowed(pathname, constants.R_OK | constants.W_OK);
}

const CONNECT_MS = 1_000;

async function canConnect(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  const connected = new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  const answer = await Promise.race([connected, sleep(CONNECT_MS, false, { ref: false })]);
  socket.destroy();
  return answer;
}
