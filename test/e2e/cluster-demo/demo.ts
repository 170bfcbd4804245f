// `npm run demo:cluster`: three real servers on one PostgreSQL in a temporary directory, and a task that outlives two of them. The demo
// checks every claim that it prints, exits with 0 only when all hold, and removes its files.
import { createCluster } from "../../support/cluster.ts";
import { postgres } from "../../support/postgres.ts";
import { interruption } from "../demo/interruption.ts";
import { createStory, type Story } from "../demo/story.ts";
import { tell } from "./chapters.ts";

const NAMES = ["amber", "birch", "cedar"];

async function main(): Promise<number> {
  const interrupted = interruption();
  const story = createStory();
  const server = postgres({ commit_times: true });
  if (server === null) {
    story.failed("This demo needs PostgreSQL's programs (initdb, pg_ctl, postgres): install the package postgresql.");
    return 1;
  }
  await using leftovers = new AsyncDisposableStack();
  leftovers.defer(server.stop);
  try {
    introduce(story);
    const cluster = leftovers.use(await createCluster(await server.createDatabase()));
    const start = async () => {
      const members = await Promise.all(NAMES.map((name) => cluster.start(name)));
      return tell({ story, cluster, members });
    };
    // Awaited here: the return disposes of the servers and the files, which are in use until then.
    return await Promise.race([interrupted, start()]);
  } catch (error) {
    story.failed(error);
    return 1;
  }
}

function introduce(story: Story): void {
  story.heading("Three orch servers on one PostgreSQL, of which two are killed");
  story.say(
    "This starts PostgreSQL and three servers, each in a process of its own with a directory of its own, and plays their supervisor over HTTP. It asks any of them, and always gets the same answer.",
  );
  story.line(
    "\n  →  what the supervisor sends\n  ←  what orch answers\n  ✔  a claim that this script has just checked",
  );
}

process.exit(await main());
