// Refuses to begin a login whose secrets would be seen by others or whose cookie would be lost (D-163), and checks whether the
// proxy can listen on its port.
import { once } from "node:events";
import { fstatSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { devNull } from "node:os";
import { isatty } from "node:tty";
import { codeOf } from "./explain-error.ts";
import { ALL_INTERFACES, OWN_ADDRESS } from "./library-options.ts";

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

/**
 * Checks whether the proxy can listen on its port: the library reports every reason in the same words. The error code when the
 * port is not available, else undefined.
 */
export async function probePort(port: number): Promise<string | undefined> {
  // On some systems a program can listen on all interfaces beside one that uses the browser's address.
  for (const host of [OWN_ADDRESS, ALL_INTERFACES]) {
    const server = createServer();
    // An open connection would keep the server from closing.
    server.maxConnections = 0;
    try {
      await once(server.listen({ host, port, exclusive: true }), "listening");
    } catch (error) {
      return codeOf(error) ?? "unknown error";
    }
    server.close();
    await once(server, "close");
  }
  return undefined;
}
