// orch mcp: serves the tools of orch to an MCP client on stdin and stdout, from the running server or one in this process.

import { z } from "zod";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed } from "../failure.ts";
import { createServerFinder } from "../find-server.ts";
import { refusedToken } from "../no-answer.ts";

export const mcp = command(z.object({}), async (context) => {
  const { connect, parts, out } = context;
  const server = createServerFinder(context, await connect());
  try {
    const absence = await server.find();
    if (absence !== null) return failed(absence);
    // Read again: a server that has just started may have created the token.
    const connection = await connect();
    const { url, token } = connection;
    if (token.value === null) return failed(refusedToken(connection, token));
    const revive = async () => {
      const still = await server.find();
      if (still !== null) out.note(`orch: ${[still.detail, still.fix ?? []].flat().join("\n")}`);
      return still === null;
    };
    await parts.bridge({ url, token: token.value, revive });
    return EXIT.done;
  } finally {
    await server.stop();
  }
});
