import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createHttpServer } from "../../../voice/http/server.ts";

test("connections on which nothing is said do not hold up a stop", async () => {
  const server = createHttpServer((request, response) => void request.resume().once("end", () => response.end()), {
    host: "127.0.0.1",
    port: 0,
  });
  const { port } = await server.start();
  const sockets = ["", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab"].map(
    (said) => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write(said);
      return socket;
    },
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const closed = sockets.map((socket) => new Promise((resolve) => socket.resume().once("close", resolve)));
  await server.stop();
  await Promise.all(closed);
});

test("an answer under way is given before the end of a stop", async () => {
  const begun = Promise.withResolvers<void>();
  const server = createHttpServer(
    (_request, response) => {
      begun.resolve();
      setTimeout(() => response.end("late"), 200);
    },
    { host: "127.0.0.1", port: 0 },
  );
  const { port } = await server.start();
  const answer = fetch(`http://127.0.0.1:${port}/`);
  await begun.promise;
  await server.stop();
  expect(await (await answer).text()).toBe("late");
});
