// `npm run demo`: the real server on a temporary directory, and a supervisor that uses it over HTTP. The demo checks
// every claim that it prints, exits with 0 only when all hold, and removes its files. With --console the server goes on after
// the story, until the demo is stopped.
import { type FlowEngine, startFlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { CHAPTERS, headingOf } from "./chapters.ts";
import { interruption } from "./interruption.ts";
import { leaveRunning } from "./leave-running.ts";
import { createNotes } from "./notes.ts";
import type { Scene } from "./scene.ts";
import { createServer } from "./server.ts";
import { createSite } from "./site.ts";
import { createStory, type Story } from "./story.ts";
import { createSupervisor } from "./supervisor.ts";

async function main(): Promise<number> {
  const interrupted = interruption();
  await using leftovers = new AsyncDisposableStack();
  const { path } = leftovers.use(await temporaryDirectory());
  const notes = leftovers.use(await createNotes(path));
  const engine = leftovers.use(await startFlowEngine());
  const server = leftovers.use(createServer(path, { MCP_NOTES_URL: notes.url, ...addressOf(engine) }));
  const story = createStory();
  const supervisor = createSupervisor(server.orch, story);
  try {
    introduce(story);
    await server.start();
    const site = leftovers.use(await createSite(path));
    // Awaited here: the return disposes of the server and the files, which are in use until then.
    return await Promise.race([interrupted, tell({ story, supervisor, server, notes, engine, site })]);
  } catch (error) {
    story.failed(error);
    story.line(`\nThe last answer:\n${JSON.stringify(supervisor.lastAnswer(), null, 2)}`);
    story.line(`\nThe server's log:\n${await server.log()}`);
    return 1;
  }
}

const addressOf = ({ url, token, workspace }: FlowEngine) => ({
  FLOWENGINE_URL: url,
  FLOWENGINE_TOKEN: token,
  FLOWENGINE_WORKSPACE: workspace,
});

function introduce(story: Story): void {
  story.heading("orch, from the first task to a crash");
  story.say(
    "This starts the real server, in a process of its own, on an empty temporary directory, and plays its supervisor over HTTP. There is no routing model: each question that would go to it takes its fallback, which is the careful answer.",
  );
  story.say("Bodies are JSON, shown here as YAML. Fields are left out where they do not matter; none is changed.");
  story.line(
    "\n  →  what the supervisor sends\n  ←  what orch answers\n  ✔  a claim that this script has just checked",
  );
}

async function tell(scene: Scene): Promise<number> {
  const { story } = scene;
  for (const [position, chapter] of CHAPTERS.entries()) {
    story.heading(headingOf(chapter, position));
    await chapter.play(scene);
  }
  const seconds = (performance.now() / 1000).toFixed(1);
  story.say(`All ${story.claimsHeld()} claims held, ${seconds} s after the start.`);
  if (process.argv.includes("--console")) await leaveRunning(scene);
  return 0;
}

process.exit(await main());
