// The plain agent backend [1.A.6.agents]: a loop that performs the next action until the run has to wait or has ended.
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
