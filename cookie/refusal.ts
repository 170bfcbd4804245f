// What a login is not begun under (specification, local cookie tool): surroundings in which its secrets would be seen by
// others, or its cookie by nobody.
import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";

const STDOUT = 1;

/** Why, and what to do; undefined where nothing is in the way. */
export function refusalOf(env: NodeJS.ProcessEnv, stdout: number = STDOUT): string | undefined {
  if (env["NODE_DEBUG"])
    return "NODE_DEBUG is set: secrets of the login would be printed. Unset it and run the tool again.";
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
    return "NODE_TLS_REJECT_UNAUTHORIZED is 0: nobody would check who answers the login. Unset it and run the tool again.";
  if (isNullDevice(stdout))
    return "Standard output is closed or leads nowhere: the cookie would be lost. Run the tool again without closing it.";
  return undefined;
}

/** Node opens the null device in the place of an output that was closed. */
function isNullDevice(descriptor: number): boolean {
  if (isatty(descriptor)) return false;
  const output = fstatSync(descriptor);
  return output.isCharacterDevice() && output.rdev === statSync(devNull, { throwIfNoEntry: false })?.rdev;
}
