// Which directories hold what runs later, on this machine, by their real paths.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createRunsLater } from "../../../local/agent-places.ts";

const base = mkdtempSync(join(tmpdir(), "orch-runs-later-"));
const home = join(base, "home");
const tools = join(base, "opt", "tools");
for (const directory of [join(home, ".ssh"), join(home, "projects", "x", ".git"), join(base, "srv", "app"), tools])
  mkdirSync(directory, { recursive: true });
symlinkSync(join(home, ".ssh"), join(base, "srv", "link"));
symlinkSync("/etc", join(base, "srv", "app", "configuration"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const runsLater = createRunsLater({ home, path: `/usr/bin:${tools}` });
const findIn = (named: string, how: "compose_dir" | "write") =>
  runsLater({
    target: how === "compose_dir" ? { compose_dir: named } : {},
    constraints: {
      implicit_scope: how === "write" ? ["shell", `write:${named}`] : ["shell"],
      require_approval_for: [],
      max_minutes: 1,
    },
  });

const LATER = [
  ["the root", "/"],
  ["/etc", "/etc"],
  ["cron", "/etc/cron.d"],
  ["a directory in /etc that is not there yet", "/etc/none/at/all"],
  ["programs", "/usr/local/bin"],
  ["/usr", "/usr"],
  ["a name of a link to /usr", "/bin"],
  ["units", "/lib/systemd/system"],
  ["tables of cron", "/var/spool/cron/crontabs"],
  ["above tables of cron", "/var/spool"],
  ["/var", "/var"],
  ["root's home", "/root"],
  ["root's keys", "/root/.ssh"],
  ["all homes", "/home"],
  ["through /proc", "/proc/self/root/etc"],
  ["with dots", "/srv/../etc/profile.d"],
  ["the home", home],
  ["above the home", base],
  ["keys", join(home, ".ssh")],
  ["configuration of git", join(home, ".config/git")],
  ["user units", join(home, ".config/systemd/user")],
  ["a user site directory", join(home, ".local/lib/python3.12/site-packages")],
  ["user programs", join(home, ".local/bin")],
  ["programs of the home", join(home, "bin")],
  ["a start file", join(home, ".bashrc")],
  ["a link to keys", join(base, "srv/link")],
  ["below a link to /etc", join(base, "srv/app/configuration/cron.d")],
  ["a directory on the PATH", tools],
  ["below one on the PATH", join(tools, "more")],
  ["above one on the PATH", join(base, "opt")],
  ["a site directory of another Python", "/srv/python/lib/python3.12/site-packages"],
] as const;

test.each(LATER)("promises 2.10: %s", async (_, named) => {
  for (const how of ["compose_dir", "write"] as const)
    expect(await findIn(named, how)).toMatchObject([{ named, why: expect.stringMatching(/\S/) }]);
});

test.each([
  ["a service", "/srv/app"],
  ["an application in /opt", "/opt/app"],
  ["a project in the home, with its repository", join(home, "projects/x")],
  ["a directory that is not there", join(home, "projects/none/yet")],
  ["sites", "/var/www/site"],
  ["data of a service", "/var/lib/app"],
  ["a directory for what is passed on", "/tmp/work"],
  ["a name that only begins like one", "/etcetera"],
  ["a file in a project that begins with a dot", "/srv/app/.env"],
])("an ordinary directory is none: %s", async (_, named) => {
  for (const how of ["compose_dir", "write"] as const) expect(await findIn(named, how)).toEqual([]);
});
