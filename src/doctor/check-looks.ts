// Checks whether orch can find out here if a check is able to fail: in an empty world, which needs namespaces (D-193).
import type { Config } from "../config/config.ts";
import { chooseSandbox } from "../execution/local/containment/choose-sandbox.ts";
import { createGroupContainment } from "../execution/local/containment/group-containment.ts";
import { namespaceContainment } from "../execution/local/containment/namespace-containment.ts";
import { createControl, createControlProbe } from "../execution/local/control/control.ts";
import { createRunCommand } from "../execution/local/run-command.ts";
import { type Diagnosis, fallsBack, off, works } from "./examination.ts";

type Asked = Pick<Config, "check_looks" | "before_look" | "sandbox" | "step_limits">;

/** `unshare` is the program that makes namespaces. Nothing runs where the looks are switched off. */
export async function examineCheckLooks(config: Asked, unshare?: string): Promise<Diagnosis> {
  if (config.check_looks === "off")
    return off("CHECK_LOOKS is off: orch does not find out whether a check can fail", "Unset CHECK_LOOKS.");
  const without_before =
    config.before_look === "off" ? "; BEFORE_LOOK is off: none is run on its target before the change" : "";
  const fault = await faultHere(config, unshare);
  if (fault === null) return works(`each check is tried in an empty world, to learn if it can fail${without_before}`);
  return fallsBack(`${fault}; a check counts as proved only where it was red before a change${without_before}`, FIX);
}

const FIX =
  "Run orch as root, or allow its account to create user namespaces with unshare of util-linux: sysctl kernel.apparmor_restrict_unprivileged_userns=0 or kernel.unprivileged_userns_clone=1, or the seccomp profile of its container.";

/** A control runs within what every command of a step runs in. */
async function faultHere({ sandbox, step_limits: limits }: Asked, unshare?: string): Promise<string | null> {
  const { sandboxed } = await chooseSandbox(sandbox, limits).catch(() => ({ sandboxed: false }));
  const containment = sandboxed ? namespaceContainment : createGroupContainment();
  const runCommand = createRunCommand({ containment, limits });
  return createControlProbe(createControl({ runCommand, ...(unshare !== undefined && { unshare }) }))();
}
