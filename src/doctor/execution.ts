// Checks what runs commands: the guard, bash, the sandbox, the agent shell, and the rights of this account.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Config } from "../config/config.ts";
import { OrchError } from "../domain/errors.ts";
import {
  abilityHere,
  agentAccount,
  agentShellFault,
  emptyMachineFault,
  exposureOf,
  filtersCalls,
  findMachineWarnings,
  hasBubblewrap,
  type MachineWarning,
  type RunCommand,
  readableSecrets,
} from "../execution/execution.ts";
import { selfTest } from "../guard/guard.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./examination.ts";

export async function examineGuard(): Promise<Diagnosis> {
  const faults = selfTest();
  if (faults.length === 0) return works("judges its test lines correctly");
  return broken(["judges these lines wrongly:", ...faults].join("\n"), "Reinstall the exact packages with: npm ci");
}

export async function examineBash(): Promise<Diagnosis> {
  try {
    const { stdout } = await promisify(execFile)("/bin/bash", ["--version"], { timeout: 3_000 });
    return works(`/bin/bash, ${/version (\S+)/.exec(stdout)?.[1] ?? "of unknown version"}`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return broken(`/bin/bash cannot be run (${code})`, "Install bash: every step runs in it.");
  }
}

export async function examineSandbox(config: Config): Promise<Diagnosis> {
  try {
    const ability = await abilityHere(config.sandbox, config.step_limits);
    const { sandboxed, reason } = ability;
    const found = sandboxed
      ? "every step runs in a pid namespace of its own"
      : `every step runs in a process group only (${reason})`;
    const exposure = exposureOf(ability);
    if (exposure !== null)
      return exposed(config, `${found}, and can read the tokens, the secrets and the database of orch (${exposure})`);
    const readable = await readableSecrets(config, ability);
    if (readable.length > 0) return exposed(config, `${found}, and a step could read ${readable.join(", ")}`);
    const hidden = `${found}, and cannot read the files of orch`;
    if (process.getuid?.() === 0)
      return fallsBack(`${hidden} unless it unmounts what hides them: steps run as root, and root can`, OWN_ACCOUNT);
    return sandboxed ? works(hidden) : fallsBack(hidden, requireSandbox(hasBubblewrap()));
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return broken(error.message, error.fix);
  }
}

/** A step that can read the approver token can approve. */
const exposed = ({ approver_token, accept_readable_tokens }: Config, found: string): Diagnosis =>
  approver_token === null || accept_readable_tokens === "on"
    ? fallsBack(found, SHOW_NOTHING)
    : broken(`${found}: a step could approve`, `${SHOW_NOTHING} Or accept it: ORCH_ACCEPT_READABLE_TOKENS=on.`);

export const requireSandbox = (has_bubblewrap: boolean): string =>
  `${has_bubblewrap ? "" : "Install bubblewrap. "}Where no step uses sudo or ssh, set ORCH_SANDBOX to required: it reports what is missing.`;

const SHOW_NOTHING =
  "Install bubblewrap, unset ORCH_SANDBOX, and allow this account to create user namespaces; until then run no agents beside procedures.";

/** Without this shell, agents have tool servers only. */
export async function examineAgentShell(config: Config): Promise<Diagnosis> {
  const { user, hidden, writable } = config.agent;
  try {
    agentAccount(user);
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return broken(error.message, error.fix);
  }
  const fault = await agentShellFault(config);
  if (fault !== null) {
    return fallsBack(
      `agents get no shell: ${fault}`,
      "Install util-linux and iproute2, and allow this account to create user, mount and network namespaces.",
    );
  }
  const missing = [...hidden, ...writable].filter((path) => !existsSync(path));
  if (missing.length > 0) {
    return fallsBack(
      `AGENT_HIDDEN or AGENT_WRITABLE names missing paths: ${missing.join(", ")}`,
      "Correct the variables, or create the paths.",
    );
  }
  const confined =
    "an agent's commands write their compose_dir, and reach neither the files of orch nor a network that their contract does not name";
  if (!filtersCalls())
    return fallsBack(
      `${confined}, but no filter of system calls is loaded: they may leave set-uid files in their compose_dir`,
      "Install perl as /usr/bin/perl; the filter exists for x86-64 and arm64.",
    );
  if (user !== null) return works(`${confined}; they run as ${user}`);
  if (process.getuid?.() !== 0) return works(confined);
  return fallsBack(
    `${confined}, but they run as root`,
    "Set AGENT_USER to an account of its own, which has to be able to write the directories of agents' tasks.",
  );
}

const OWN_ACCOUNT = "Run it under an account of its own.";

const MESSAGES: Readonly<Partial<Record<MachineWarning["code"], readonly [found: string, fix: string]>>> = {
  running_as_root: ["orch runs as root, and so does every step", OWN_ACCOUNT],
  docker_socket_reachable: [
    "steps can reach Docker, which gives root rights on its machine",
    "Put a filtering proxy in front of the socket, or remove this account from the docker group.",
  ],
};

/** Checks rights that increase the damage of a wrong step. The sandbox has a check of its own. */
export async function examineMachine(docker_host: string | undefined): Promise<Diagnosis> {
  const uid = process.getuid?.();
  const warnings = await findMachineWarnings({
    uid,
    docker_host,
    ability: { sandboxed: true, reason: null, visible: null },
  });
  const messages = warnings.flatMap(({ code }) => (MESSAGES[code] === undefined ? [] : [MESSAGES[code]]));
  if (messages.length === 0) return works("steps run without root, and without Docker");
  return fallsBack(messages.map(([found]) => found).join("; "), messages.map(([, fix]) => fix).join(" "));
}

type Asked = Pick<Config, "check_looks" | "before_look" | "sandbox" | "step_limits">;

/** Nothing runs where the looks are switched off. */
export async function examineCheckLooks(config: Asked, runCommand?: RunCommand): Promise<Diagnosis> {
  if (config.check_looks === "off")
    return off("CHECK_LOOKS is off: orch does not find out whether a check can fail", "Unset CHECK_LOOKS.");
  const without_before =
    config.before_look === "off" ? "; BEFORE_LOOK is off: none is run on its target before the change" : "";
  const fault = await faultHere(config, runCommand);
  if (fault === null) return works(`each check is tried in an empty world, to learn if it can fail${without_before}`);
  return fallsBack(`${fault}; a check counts as proved only where it was red before a change${without_before}`, FIX);
}

const FIX =
  "Run orch as root, or allow its account to create user namespaces with unshare of util-linux: sysctl kernel.apparmor_restrict_unprivileged_userns=0 or kernel.unprivileged_userns_clone=1, or the seccomp profile of its container.";

/** A control runs within what every command of a step runs in. */
async function faultHere({ sandbox, step_limits: limits }: Asked, runCommand?: RunCommand): Promise<string | null> {
  const ability = await abilityHere(sandbox, limits).catch(() => ({ sandboxed: false }));
  return emptyMachineFault(ability, limits, runCommand);
}
