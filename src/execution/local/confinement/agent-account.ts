// The account that the commands of agents run as, where orch may switch to it (D-250).
import { execFileSync } from "node:child_process";
import { OrchError } from "../../../domain/errors.ts";
import type { StepAccount } from "../containment/containment.ts";

const LIMIT_MS = 5_000;

/** Null: the account of orch. Throws `config_invalid` where commands cannot run as that user. */
export function agentAccount(user: string | null, uid = process.getuid?.()): StepAccount | null {
  if (user === null) return null;
  const [own, group] = ["-u", "-g"].map((which) => idOf(which, user));
  if (own === undefined || group === undefined || own === null || group === null)
    throw refused(`there is no user ${JSON.stringify(user)}`, "Create it with: useradd --system --no-create-home");
  if (own === 0) throw refused(`${user} is root`, "Name an account that owns nothing but the directories of agents.");
  if (own === uid) return null;
  if (uid !== 0) throw refused("only root can run commands as another user", "Leave it out, or run orch as root.");
  return { uid: own, gid: group };
}

function idOf(which: string, user: string): number | null {
  try {
    const text = execFileSync("/usr/bin/id", [which, "--", user], {
      timeout: LIMIT_MS,
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    });
    return Number(text);
  } catch {
    return null;
  }
}

const refused = (why: string, fix: string) =>
  new OrchError("config_invalid", `AGENT_USER cannot be used: ${why}.`, { fix });
