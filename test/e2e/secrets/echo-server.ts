// A tool server that echoes the token that it receives, in several forms, also across the cut of a long answer.
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";

export const startEchoServer = () =>
  startRawServer(
    afterHandshake(({ body, headers }, response) => {
      const shown = headers.authorization ?? "";
      const token = shown.replace("Bearer ", "");
      const filler = "x".repeat(32_700);
      const forms = [
        shown,
        token,
        btoa(token),
        encodeURIComponent(token),
        filler,
        token,
        "y".repeat(100_000),
        token,
        filler,
      ];
      const content = [{ type: "text", text: forms.join(" ") }];
      return sendJson(response, rpcResult(body.id, { content, isError: body.params?.name === "refuse" }));
    }),
  );
