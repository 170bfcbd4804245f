// Finds out whether the proxy can listen on its port: the library tells every reason why not with the same words.
import { once } from "node:events";
import { createServer } from "node:net";
import { codeOf } from "./explain-error.ts";
import { ALL_INTERFACES, OWN_ADDRESS } from "./library-options.ts";

/** The code of what is in the way, or undefined. */
export async function probePort(port: number): Promise<string | undefined> {
  // Some systems let a program listen on all interfaces beside one that has the address the browser will use.
  for (const host of [OWN_ADDRESS, ALL_INTERFACES]) {
    const server = createServer();
    // A connection would keep it from closing.
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
