// Decides at start whether steps run in a pid namespace, by running a real command in one (D-061). Where that fails, as in
// most containers, steps run in process groups; when the operator requires a namespace, the start is refused.
import { OrchError } from "../../../domain/errors.ts";
import { hidingFault } from "../confinement/hiding.ts";
import { baseEnvironment } from "../environment.ts";
import { createRunCommand } from "../run-command.ts";
import { NO_LIMITS, type StepLimits } from "../step-limits.ts";
import type { Containment } from "./containment.ts";
import { createGroupContainment } from "./group-containment.ts";
import { namespaceContainment } from "./namespace-containment.ts";

/**
 * `reason` says why steps have no pid namespace, `visible` why they see the files of orch; null where they do not (D-253).
 */
export type Sandbox = { readonly visible: string | null } & (
  | { readonly sandboxed: true; readonly reason: null }
  | { readonly sandboxed: false; readonly reason: string }
);

/** Why steps can read the secrets of this server; null where they cannot. */
export function exposureOf({ sandboxed, reason, visible }: Sandbox, uid = process.getuid?.()): string | null {
  if (visible !== null || sandboxed || uid !== 0) return visible;
  return `root looks through /proc, because there is no pid namespace: ${reason}`;
}

type Accepting = { readonly approver_token: string | null; readonly accept_readable_tokens: "on" | "off" };

/** Throws `config_invalid` where a step could read the approver token, and so approve. */
export function refuseReadableApprover({ approver_token, accept_readable_tokens }: Accepting, sandbox: Sandbox): void {
  const exposure = exposureOf(sandbox);
  if (approver_token === null || accept_readable_tokens === "on" || exposure === null) return;
  const message = `A step could read ORCH_APPROVER_TOKEN and approve with it (${exposure}).`;
  throw new OrchError("config_invalid", message, {
    issues: [{ path: "ORCH_APPROVER_TOKEN", message: "can be read by steps" }],
    fix: "Allow this account to create user namespaces and unset ORCH_SANDBOX, or accept it: ORCH_ACCEPT_READABLE_TOKENS=on.",
  });
}

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

/** Rejects with `config_invalid` when this machine cannot do what the operator requires. */
export async function chooseSandbox(
  mode: SandboxMode,
  limits: StepLimits,
  uid: number | undefined = process.getuid?.(),
): Promise<Sandbox> {
  const fault = reasonAgainst(mode, uid) ?? (await faultOf(namespaceContainment, PROBE, NO_LIMITS));
  if (fault !== null && mode === "required") throw refused(fault);
  const containment = fault === null ? namespaceContainment : createGroupContainment();
  const limitFault = await faultOf(containment, "true", limits);
  if (limitFault !== null) throw unusable(limitFault);
  if (fault === null) return { sandboxed: true, reason: null, visible: null };
  return { sandboxed: false, reason: fault, visible: mode === "off" ? fault : await hidingFault() };
}

/** The fault of running the script, null when it ran. */
async function faultOf(containment: Containment, script: string, limits: StepLimits): Promise<string | null> {
  const runCommand = createRunCommand({ containment, limits });
  const place = { cwd: "/", env: baseEnvironment({ home: "/" }) };
  const command = { script, strict: true, ...place, limit_ms: LIMIT_MS, grace_ms: 0 };
  const end = await runCommand(command, new AbortController().signal);
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
