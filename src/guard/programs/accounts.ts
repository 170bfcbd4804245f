// Programs that run a command as another account.
import { type Launcher, launches } from "./launcher.ts";
import type { ProgramRecord } from "./record.ts";

const SU: Launcher = { short: "csgGwT", long: ["command", "shell", "group"], text: ["c", "command"], account: true };
const RUNUSER: Launcher = {
  short: "csgGwu",
  long: ["command", "shell", "group", "user"],
  text: ["c", "command"],
  account: true,
};
const SUDO: Launcher = {
  short: "CDghpRrtTUu",
  long: "chdir chroot close-from group host prompt role type user other-user command-timeout".split(" "),
  assigns: true,
  directory: ["D", "chdir"],
};

export const SUDOERS: readonly ProgramRecord[] = [
  { names: "sudo", runs: launches(SUDO), effect: "reads", suspected: "anywhere" },
  { names: "doas", runs: launches({ short: "aCu", long: [] }), effect: "reads", suspected: "anywhere" },
  { names: "pkexec", runs: launches({ short: "", long: ["user"] }), effect: "reads" },
  { names: "sudoedit", effect: { changes: "writes files" } },
];

export const ACCOUNTS: readonly ProgramRecord[] = [
  { names: "su", runs: launches(SU), effect: "reads", suspected: "anywhere" },
  { names: "runuser", runs: launches(RUNUSER), effect: "reads" },
  { names: "sg", runs: launches({ short: "", long: [], skip: 1, joined: true }), effect: "reads" },
  { names: "gosu su-exec", runs: launches({ short: "", long: [], skip: 1 }), effect: "reads" },
  {
    names: "setpriv",
    runs: launches({
      short: "",
      long: ["reuid", "regid", "groups", "inh-caps", "ambient-caps", "bounding-set"],
    }),
    effect: "reads",
  },
];
