// The server of the story: started, killed in the middle of something, and started again on the same directory.
import { type OrchProcess, startOrchProcess } from "../../support/orch-process.ts";

export type Server = ReturnType<typeof createServer>;

/** As the product has them by default; other tests switch them off. */
const LOOKS = { BEFORE_LOOK: "on", CHECK_LOOKS: "on" };

export function createServer(data_dir: string, env: Readonly<Record<string, string>>) {
  const started: Promise<OrchProcess>[] = [];
  let running: OrchProcess | null = null;

  const start = async (): Promise<OrchProcess> => {
    const starting = startOrchProcess({ data_dir, env: { ...LOOKS, ...env } });
    started.push(starting);
    running = await starting;
    return running;
  };

  const orch = (): OrchProcess => {
    if (running === null) throw new Error("the server has not been started");
    return running;
  };

  return {
    start,
    orch,
    kill: () => orch().kill("SIGKILL"),
    /** What all of them have logged. */
    log: async () => (await processes()).map((each) => each.output()).join(""),
    [Symbol.asyncDispose]: async () => {
      for (const each of await processes()) await each.kill("SIGKILL");
    },
  };

  /** One that did not come up has ended by itself and has said why. */
  async function processes(): Promise<OrchProcess[]> {
    const settled = await Promise.allSettled(started);
    return settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }
}
