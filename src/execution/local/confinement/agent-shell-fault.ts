// Whether commands of agents can be confined on this machine. A command that tries to reach what it must not decides.
import { randomUUID } from "node:crypto";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { baseEnvironment } from "../environment.ts";
import { createRunCommand } from "../run-command.ts";
import { agentConfinement, type ConfinementInput } from "./agent-confinement.ts";
import { createConfine } from "./confined.ts";

const LIMIT_MS = 20_000;
const TRY = `cat directory/key file open || true
[ -w / ] && echo 'and / is writable'
: > written || echo 'and the directory of a task is not writable'`;

/** Why no command can be confined here, null when it can. */
export async function agentShellFault(facts: ConfinementInput): Promise<string | null> {
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
        ...{ script: TRY, strict: false, cwd: place, env: baseEnvironment({ home: homedir() }) },
        ...{ limit_ms: LIMIT_MS, grace_ms: 0 },
        confinement: { ...confinement, hidden: [...hidden, ...tried], writable: [...writable, place] },
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
    await rm(place, { recursive: true, force: true });
  }
}

const READABLE = "a test command could read what must be hidden from it";
