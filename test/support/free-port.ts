// A port of loopback that nothing has: for programs that take theirs as an argument.
import { once } from "node:events";
import { createServer } from "node:net";

export async function freePort(host = "127.0.0.1"): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
