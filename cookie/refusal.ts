// Conditions under which no login begins, because its secrets would be seen by others or its cookie would be lost (D-163).
import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";

const STDOUT = 1;

/** The reason and what to do; undefined when a login may begin. */
export function refusalOf(env: NodeJS.ProcessEnv, stdout: number = STDOUT): string | undefined {
  if (env["NODE_DEBUG"])
    return "NODE_DEBUG is set: secrets of the login would be printed. Unset it and run the tool again.";
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
    return "NODE_TLS_REJECT_UNAUTHORIZED is 0: the identity of the provider would not be checked. Unset it and run the tool again.";
  if (isNullDevice(stdout))
    return "Standard output is closed or leads nowhere: the cookie would be lost. Run the tool again without closing it.";
  return undefined;
}

/** Node opens the null device in place of a closed output. */
function isNullDevice(descriptor: number): boolean {
  if (isatty(descriptor)) return false;
  const output = fstatSync(descriptor);
  return output.isCharacterDevice() && output.rdev === statSync(devNull, { throwIfNoEntry: false })?.rdev;
}
