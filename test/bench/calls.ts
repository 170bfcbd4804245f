// What a tool call costs beside the official client on the same server: the bounds, the watch on the answer, its mapping.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { createToolServers } from "../../src/mcp-client/tool-servers.ts";
import { startSdkServer } from "../support/tool-server.ts";
import { median, ms, row, timed, times } from "./table.ts";

const CALLS = 200;
const ROUNDS = 7;
const ASKED = { name: "add", arguments: { a: 1, b: 2 } };

export async function benchCalls(): Promise<void> {
  await using server = await startSdkServer({ sessions: true });
  const official = new Client({ name: "floor", version: "1" });
  await official.connect(new StreamableHTTPClientTransport(new URL(server.url)) as Transport);
  const ours = createToolServers({ servers: new Map([["bench", { url: server.url, token: null }]]), version: "1" });
  const bounds = { limit_ms: 60_000, signal: new AbortController().signal };

  const floorMs = () => loop(() => official.request({ method: "tools/call", params: ASKED }, ResultSchema));
  const orchMs = () =>
    loop(async () => {
      const answer = await ours.call({ server: "bench", tool: ASKED.name, arguments: ASKED.arguments }, bounds);
      if (!answer.ok) throw new Error(answer.stderr);
    });

  await floorMs();
  await orchMs();
  const bare: number[] = [];
  const full: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push((await floorMs()) / CALLS);
    full.push((await orchMs()) / CALLS);
  }
  const ratio = median(full.map((value, n) => value / (bare[n] ?? value)));
  row(
    "a call of a tool, in a session",
    ["client", ms(median(bare))],
    ["orch", ms(median(full))],
    ["ratio", times(ratio)],
  );
  await ours.close();
  await official.close();
}

const loop = (call: () => Promise<unknown>): Promise<number> =>
  timed(async () => {
    for (let n = 0; n < CALLS; n++) await call();
  });
