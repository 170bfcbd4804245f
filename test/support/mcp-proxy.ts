// A loopback proxy that adds the bearer token for a client that has no way to send one, and changes nothing else.
import { once } from "node:events";
import { createServer, request as open } from "node:http";
import type { AddressInfo } from "node:net";

/** It listens before its server is known: the server may need its address. */
export async function startTokenProxy(token: string) {
  let behind = new URL("http://127.0.0.1");
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { method, url: path } = incoming;
    const { hostname, port } = behind;
    const onward = open({ hostname, port, method, path, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (url: string) => {
      behind = new URL(url);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
