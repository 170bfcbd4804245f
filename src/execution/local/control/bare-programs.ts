// The programs of the bare world: those that only compute, with the libraries that they load.
import { baseEnvironment } from "../environment.ts";
import type { RunCommand } from "../run-command.ts";

const PROGRAMS = `bash sh dash env setpriv setsid umount pivot_root rm
  [ test true false echo printf cat head tail cut paste join sort uniq comm tac rev nl wc tr fold fmt column expand unexpand
  od xxd base32 base64 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum sum seq expr factor numfmt bc dc shuf
  split csplit tee xargs basename dirname mktemp touch mkdir cp mv ln rmdir cmp diff grep egrep fgrep sed awk mawk gawk
  nawk jq yes getopt`;
const LIMIT_MS = 20_000;
const SCRIPT = `for name in $NAMES; do type -P "$name" || :; done | sort -u >&1
type -P $NAMES | sort -u | xargs -r ldd 2>/dev/null | sed -nE 's/.*=> (\\/[^ ]+) .*/\\1/p; s/^[[:space:]]+(\\/[^ ]+) \\(.*/\\1/p' | sort -u || :`;

/** Paths of files, or the reason why there are none. */
export async function bareProgramFiles(runCommand: RunCommand, abort: AbortSignal): Promise<string[] | string> {
  const env = { ...baseEnvironment({ home: "/" }), NAMES: PROGRAMS.trim().split(/\s+/).join(" ") };
  const command = { script: SCRIPT, strict: false, cwd: "/", env, limit_ms: LIMIT_MS, grace_ms: 0 };
  const end = await runCommand(command, abort);
  if (!end.ran) return end.reason;
  const paths = end.stdout.text.split("\n").filter((path) => path.startsWith("/"));
  return paths.includes("/usr/bin/bash") || paths.includes("/bin/bash") ? [...new Set(paths)] : "bash was not found";
}
