// Checks whether the proxy can listen on its port: the library reports every reason in the same words.
import { once } from "node:events";
import { createServer } from "node:net";
import { codeOf } from "./explain-error.ts";
import { ALL_INTERFACES, OWN_ADDRESS } from "./library-options.ts";

/** The error code when the port is not available, else undefined. */
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
