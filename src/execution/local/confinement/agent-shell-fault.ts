// Whether commands of agents can be confined on this machine, and have a network of their own. A command that tries to reach what it
// must not decides.
import { randomUUID } from "node:crypto";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { programIn } from "../containment/launcher.ts";
import { baseEnvironment } from "../environment.ts";
import { openAgentNetwork } from "../network/agent-network.ts";
import { createProxy } from "../network/proxy.ts";
import { createRunCommand } from "../run-command.ts";
import { agentConfinement, type ConfinementInput } from "./agent-confinement.ts";
import { createConfine } from "./confined.ts";

const LIMIT_MS = 20_000;
const TRY = programIn(import.meta.dirname, "try-confinement.sh");

/** Why no command can be confined here, null when it can. */
export async function agentShellFault(facts: ConfinementInput): Promise<string | null> {
  const network = await openAgentNetwork(NO_WAY_OUT, []);
  if ("fault" in network) return network.fault;
  const place = await mkdtemp(join(tmpdir(), "orch-confined-"));
  try {
    const key = randomUUID();
    await mkdir(join(place, "directory"));
    for (const name of ["directory/key", "file", "open"]) await writeFile(join(place, name), `${name} ${key}\n`);
    const confinement = agentConfinement(facts);
    const { hidden, writable, account } = confinement;
    if (account !== null) await chown(place, account.uid, account.gid);
    const tried = ["directory", "file"].map((name) => join(place, name));
    const end = await createRunCommand({ confine: createConfine() })(
      {
        script: TRY,
        strict: false,
        cwd: place,
        env: baseEnvironment({ home: homedir() }),
        limit_ms: LIMIT_MS,
        grace_ms: 0,
        confinement: {
          ...confinement,
          network: network.entry,
          hidden: [...hidden, ...tried],
          writable: [...writable, place],
        },
      },
      new AbortController().signal,
    );
    if (!end.ran) return end.reason;
    const said = end.stdout.text.trim();
    if (said === `open ${key}`) return null;
    if (said.includes(`key ${key}`) || said.includes(`file ${key}`)) return READABLE;
    return said === ""
      ? `a test command ended with ${end.stopped ?? end.signal ?? end.exit_code}`
      : `a test command was not confined as it has to be: ${said.replace(`open ${key}\n`, "")}`;
  } finally {
    network.close();
    await rm(place, { recursive: true, force: true });
  }
}

const NO_WAY_OUT = createProxy(async () => ({ status: 403, sentence: "There is no way out." }));

const READABLE = "a test command could read what must be hidden from it";
