// A judged connection goes to the address that was judged: real sockets, and names that change what they resolve to.
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createConnectionJudge } from "../../../../local/network/judge-connection.ts";
import { createConnectOut } from "../../../../local/network/proxy.ts";
import { startEcho } from "./in-network.ts";

const stack = new DisposableStack();
let good: Awaited<ReturnType<typeof startEcho>>;
beforeAll(async () => {
  good = stack.use(await startEcho("127.0.0.2"));
});
afterAll(() => stack.dispose());

test("a name is resolved once, and what it resolves to later does not count", async () => {
  const answers = [["127.0.0.2"], ["127.0.0.3"]];
  let asked = 0;
  const judge = createConnectionJudge(
    { ways: [{ host: "rebound.example", port: null, from: "target.x" }], kept: [] },
    { resolve: async () => answers[asked++] ?? [], kind: () => "elsewhere" },
  );
  const made = await createConnectOut(judge, () => undefined)("rebound.example", good.port);
  if (!("socket" in made)) throw new Error(made.sentence);
  expect(made.socket.remoteAddress).toBe("127.0.0.2");
  expect(asked).toBe(1);
  made.socket.destroy();
  await once(made.socket, "close");
});

test("the next address is tried where one does not answer, and the cause is reported where none does", async () => {
  const judgeOf = (addresses: string[]) => async () => ({ ok: true as const, addresses });
  const made = await createConnectOut(judgeOf(["127.0.0.4", "127.0.0.2"]), () => undefined)("two.example", good.port);
  expect("socket" in made && made.socket.remoteAddress).toBe("127.0.0.2");
  if ("socket" in made) made.socket.destroy();
  const none = await createConnectOut(judgeOf(["127.0.0.4"]), () => undefined)("one.example", good.port);
  expect(none).toMatchObject({ status: 502, sentence: expect.stringContaining("ECONNREFUSED") });
});
