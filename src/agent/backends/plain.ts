// The plain agent backend: a loop of its own on the chat model.
import type { AgentBackend } from "../port.ts";

export const createPlainBackend = (): AgentBackend => ({
  name: "plain",
  run: async (run) => {
    for (;;) {
      switch (run.next().is) {
        case "load_tools":
          await run.loadTools();
          break;
        case "ask_model":
          await run.askModel();
          break;
        case "judge_calls":
          await run.judgeCalls();
          break;
        case "make_calls":
          await run.makeCalls();
          break;
        default:
          return;
      }
    }
  },
});
