// The handler that CONTRIBUTING.md shows, to the letter.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../support/tool-server.ts";
import { skillHandlerSuite } from "./skill-handler.ts";

const SKILLS = join(import.meta.dirname, "../support/example-skills");

test("the guide shows the handler that is tried here", async () => {
  const guide = await readFile(join(import.meta.dirname, "../../CONTRIBUTING.md"), "utf8");
  const handler = await readFile(join(SKILLS, "lamps/handler.ts"), "utf8");
  expect(guide).toContain(`\`\`\`ts
${handler}\`\`\``);
});

async function startLamps() {
  const on = new Set(["hall", "attic"]);
  const changes: string[] = [];
  const server = await startRawServer(
    afterHandshake(({ body }, response) => {
      if (body.method === "tools/list") return sendJson(response, rpcResult(body.id, { tools: [] }));
      const { lamp } = body.params.arguments;
      if (on.delete(lamp)) changes.push(lamp);
      return sendJson(response, rpcResult(body.id, { content: [{ type: "text", text: "switched" }] }));
    }),
  );
  return { url: server.url, changes, stop: () => server[Symbol.asyncDispose]() };
}

skillHandlerSuite("the example of the guide", {
  openWorld: async () => {
    const lamps = await startLamps();
    return {
      env: { ORCH_CAPABILITIES: SKILLS, MCP_LAMPS_URL: lamps.url },
      changes: () => lamps.changes.slice(),
      [Symbol.asyncDispose]: lamps.stop,
    };
  },
  contract: {
    intent: "switch_off",
    delegation_mode: "known_only",
    payload: { lamps: ["hall", "attic"] },
    constraints: { implicit_scope: ["lamps"], require_approval_for: [], max_minutes: 1 },
  },
  code: "switched_off",
  asks: true,
  calls: true,
  wrong: [
    ["payload.lamps", {}],
    ["payload.lamps", { lamps: [] }],
    ["payload.lamps.0", { lamps: [1] }],
  ],
});
