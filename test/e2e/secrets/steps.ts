// Steps that print every secret they can reach, in every form that they have tools for. $HOME/vault has one file per
// secret, and the token is also in its own file. The key in $HOME/key is in no configuration and is recognized by its
// format, so it is printed unencoded.
import { check, cmd, mcpCall } from "../../support/builders.ts";

const zeros = (count: number): string => `head -c ${count} /dev/zero | tr '\\0' x`;

/** The environments of the step and of its ancestors up to the server, as far as they can be read. */
const ENVIRONMENTS = `pid=$$
for level in 1 2 3 4 5 6; do
  test "$pid" -gt 1 || break
  tr '\\0' '\\n' < "/proc/$pid/environ" || true
  cat "/proc/$pid/environ" || true
  grep -qsz "^ORCH_DATA_DIR=$HOME/state" "/proc/$pid/environ" && break
  pid=$(cut -d' ' -f4 "/proc/$pid/stat")
done`;

/** The secret lies across the point where output is cut, so that a cut before redaction would show half of it. */
const acrossTheCut = (secret: string): string =>
  `${zeros(32_768 - 20)}; cat ${secret}; ${zeros(200_000)}; cat ${secret}; ${zeros(32_768 - 20)}`;

const EVERY = '"$HOME"/vault/*';

export const PRINTING = [
  cmd('env | tee "$HOME/environment-of-a-step"'),
  cmd("cat /proc/self/environ; cat /proc/$PPID/environ || true"),
  cmd(ENVIRONMENTS),
  cmd('cat "$HOME/vault/token"; base64 -w0 "$HOME/vault/token"; base64 -w20 "$HOME/vault/token"'),
  cmd(
    `cat ${EVERY} "$HOME/key"; base64 -w0 ${'"$HOME/vault/tool"'}; cat ${EVERY} | base64; od -An -v -tx1 "$HOME/vault/tool"`,
  ),
  cmd(
    `for file in ${EVERY}; do for n in 1 2 3; do printf '%s' "aaa$n" | head -c "$n" | cat - "$file" | base64; done; done`,
  ),
  cmd(
    `for file in ${EVERY}; do od -An -v -tx1 "$file" | tr -d ' \\n' | sed 's/../%&/g'; echo; fold -w 20 "$file"; done`,
  ),
  cmd('head -c 20 "$HOME/vault/tool"; sleep 0.3; tail -c +21 "$HOME/vault/tool"'),
  cmd(acrossTheCut('"$HOME/vault/tool"')),
  cmd(`{ ${acrossTheCut('"$HOME/vault/token"')}; } >&2`),
  cmd(acrossTheCut('"$HOME/key"')),
  check("test -d /"),
];

/** The routing model is asked about its errors. */
export const FAILING = [
  cmd(
    `{ cat ${EVERY} "$HOME/key"; echo "refused: Bearer $(cat "$HOME/vault/token")"; ${acrossTheCut('"$HOME/vault/tool"')}; } >&2; exit 3`,
  ),
  check("test -d /"),
];

/** A tool server that repeats what it receives, as a result and as an error. */
export const CALLING = [
  mcpCall({ server: "teller", tool: "tell" }),
  mcpCall({ server: "teller", tool: "refuse" }),
  check("test -d /"),
];
