// Carries out the calls of a simulated notes server's tools, keeps them, and lets go wrong what is switched on.
import { setTimeout as sleep } from "node:timers/promises";
import { copyOf, type NotesModel } from "./notes-model.ts";
import { type Call, type Switches, strikes } from "./switches.ts";
import type { Profile, Reply, Tool } from "./tool.ts";

/** What a server that has crashed answers. */
export const NOTHING = Symbol("no answer");

const DOWN = new Error("connect ECONNREFUSED 127.0.0.1:8080");
const CRASH = new Error("the server has crashed");

export function createToolCalls(profile: Profile, model: NotesModel, switches: Switches) {
  const calls: Call[] = [];

  const run = (tool: Tool, { tool: name, args }: Call, on: NotesModel): Reply => {
    const between = () => {
      if (strikes(switches, "crash_in_move")) throw CRASH;
      if (strikes(switches, "locked_in_move")) throw new Error("database is locked");
    };
    const atRequest = () => switches.meanwhile?.();
    try {
      return tool.run(args, { model: on, between, atRequest });
    } catch (thrown) {
      if (thrown === CRASH) throw thrown;
      return profile.sayThrown(name, thrown);
    }
  };

  const write = async (tool: Tool, call: Call): Promise<Reply | typeof NOTHING> => {
    await switches.before_write?.(call);
    if (strikes(switches, "refuse_write")) return profile.sayRefused();
    if (strikes(switches, "lying_success")) return run(tool, call, copyOf(model));
    try {
      const reply = run(tool, call, model);
      return strikes(switches, "lose_reply_after_write") ? NOTHING : reply;
    } catch {
      return NOTHING;
    }
  };

  return {
    calls: (): Call[] => [...calls],
    writes: (): Call[] => calls.filter(({ tool }) => profile.tools.get(tool)?.writes === true),
    call: async (call: Call): Promise<Reply | typeof NOTHING> => {
      calls.push(call);
      if (switches.delay_ms > 0) await sleep(switches.delay_ms);
      switches.meanwhile?.();
      const tool = profile.tools.get(call.tool);
      if (tool === undefined) return profile.sayUnknownTool(call.tool);
      if (strikes(switches, "application_down")) return profile.sayThrown(call.tool, DOWN);
      const reply = tool.writes ? await write(tool, call) : run(tool, call, model);
      return reply !== NOTHING && strikes(switches, "garbage") ? garbled(reply) : reply;
    },
  };
}

/** It only begins like JSON. */
const garbled = (reply: Reply): Reply =>
  reply.is === "result" ? { ...reply, texts: ['{"noteId": "', ...reply.texts.slice(1)] } : reply;
