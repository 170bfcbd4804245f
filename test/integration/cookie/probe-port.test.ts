// Whether the proxy could listen, tried on real ports.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { probePort } from "../../../cookie/refusal.ts";
import { freePort } from "../../support/free-port.ts";

describe("a port for the proxy", () => {
  test("that is free is left free", async () => {
    const port = await freePort("0.0.0.0");
    expect(await probePort(port)).toBeUndefined();
    expect(await probePort(port)).toBeUndefined();
  });

  test("that is tried takes no connection, which would have to end first", async () => {
    const tried: unknown[] = [];
    const channel = "tracing:net.server.listen:asyncEnd";
    const note = (message: unknown) => void tried.push(message);
    subscribe(channel, note);
    await probePort(await freePort("0.0.0.0"));
    unsubscribe(channel, note);
    const atOnce = { server: expect.objectContaining({ maxConnections: 0 }) };
    expect(tried.slice(1)).toEqual([expect.objectContaining(atOnce), expect.objectContaining(atOnce)]);
  });

  test.each(["0.0.0.0", "127.0.0.1"])("that a program holds at %s is in use", async (host) => {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await probePort(port)).toBe("EADDRINUSE");
    server.close();
  });
});
