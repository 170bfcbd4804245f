// Steps that print every secret they can reach, in every form that they have tools for. The secrets are in the files of
// $HOME/vault, one each, as a step would find them in a configuration file; the token is also in its own file. The key
// in $HOME/key is known to nobody and found by its looks, so it is printed as it is.
import { check, cmd, mcpCall } from "../../support/builders.ts";

const zeros = (count: number): string => `head -c ${count} /dev/zero | tr '\\0' x`;

/** The step, what started it, and so on up to the server, as far as they can be seen. Nobody else's environment. */
const ENVIRONMENTS = `pid=$$
for level in 1 2 3 4 5 6; do
  test "$pid" -gt 1 || break
  tr '\\0' '\\n' < "/proc/$pid/environ" || true
  cat "/proc/$pid/environ" || true
  grep -qsz "^ORCH_DATA_DIR=$HOME/state" "/proc/$pid/environ" && break
  pid=$(cut -d' ' -f4 "/proc/$pid/stat")
done`;

/** What is printed stands across the cut, wherever the secret begins: half of it would be shown. */
const acrossTheCut = (secret: string): string =>
  `${zeros(32_768 - 20)}; cat ${secret}; ${zeros(200_000)}; cat ${secret}; ${zeros(32_768 - 20)}`;

const EVERY = '"$HOME"/vault/*';

export const PRINTING = [
  cmd('env | tee "$HOME/environment-of-a-step"'),
  cmd("cat /proc/self/environ; cat /proc/$PPID/environ || true"),
  cmd(ENVIRONMENTS),
  cmd('cat "$HOME/state/token"; base64 -w0 "$HOME/state/token"; base64 -w20 "$HOME/state/token"'),
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
  cmd(`{ ${acrossTheCut('"$HOME/state/token"')}; } >&2`),
  cmd(acrossTheCut('"$HOME/key"')),
  check("true"),
];

/** Its errors are what the routing model is asked about. */
export const FAILING = [
  cmd(
    `{ cat ${EVERY} "$HOME/key"; echo "refused: Bearer $(cat "$HOME/state/token")"; ${acrossTheCut('"$HOME/vault/tool"')}; } >&2; exit 3`,
  ),
  check("true"),
];

/** A tool server that tells everything it is shown: as an answer, and as an error. */
export const CALLING = [
  mcpCall({ server: "teller", tool: "tell" }),
  mcpCall({ server: "teller", tool: "refuse" }),
  check("true"),
];
