// Clients of the voice server that shut their sending side after a request, and requests that never end.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { answerTo } from "../../support/half-closed-client.ts";
import { startReady } from "../../support/voice/voice-server.ts";

const speaking = (text: string, device = "居間") => {
  const body = JSON.stringify({ device, text });
  return `POST /speak HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

test("a client that shuts its sending side gets the answer of a speech that has begun (promises 4.7)", async () => {
  await using both = await startReady();
  const port = Number(new URL(both.voice.url).port);
  expect(await answerTo(port, speaking("やあ"))).toMatch(/^HTTP\/1\.1 200 .*"ok":true/s);
  expect(await answerTo(port, speaking("やあ", "nowhere"))).toMatch(/^HTTP\/1\.1 4\d\d .*"ok":false/s);
  expect(await answerTo(port, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")).toContain('"ok":true');
  expect(both.upstream.spoken.map(({ text }) => text)).toEqual(["やあ"]);
});

test("half-sent requests keep no one out (promises 4.8)", async () => {
  await using both = await startReady();
  const sockets: Socket[] = [];
  for (let n = 0; n < 2_500; n++) {
    const socket = connect(Number(new URL(both.voice.url).port), "127.0.0.1");
    socket.on("error", () => socket.destroy());
    socket.write("POST /sp");
    sockets.push(socket);
    if (n % 100 === 0) await once(socket, "connect").catch(() => undefined);
  }
  expect((await both.voice.speak("やあ")).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
