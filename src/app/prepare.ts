// Prepares this machine before the first task: what a lost server has left running is ended.
import type { Config } from "../config/config.ts";
import type { Sandbox } from "../execution/local/containment/choose-sandbox.ts";
import { prepareExecution } from "../execution/local/prepare-execution.ts";
import type { Log } from "../log/log.ts";
import { runningDirIn } from "./compose-execution.ts";

/** `leftBehind`: called when something could not be ended. */
export async function prepare(
  { data_dir, secret_paths }: Config,
  sandbox: Sandbox,
  log: Log,
  leftBehind: () => void,
): Promise<void> {
  const running_dir = runningDirIn(data_dir);
  const docker_host = process.env["DOCKER_HOST"];
  const notes = await prepareExecution({ sandbox, running_dir, secret_paths, uid: process.getuid?.(), docker_host });
  if (notes.some(({ ended }) => ended === false)) leftBehind();
  for (const { message, ...details } of notes) log.warn(details, message);
  log.info({}, `every step runs in a ${sandbox.sandboxed ? "pid namespace" : "process group"} of its own`);
}
