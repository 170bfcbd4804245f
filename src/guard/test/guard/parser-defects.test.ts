// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Where the parser and bash differ, and where bash runs text that is no command in the tree. Each case is run first, so
// that the danger is known to be real. A new version of the parser is taken only when this passes.
import { describe, expect, test } from "vitest";
import { outcomeOf } from "../unit/guard-outcome.ts";
import { runInJail } from "./jail.ts";
import { reachedBy } from "./oracle.ts";
import { jailWorks } from "./usable.ts";

const PARSER: readonly (readonly [string, string])[] = [
  ["a process substitution in mid-word", "ls a<(rm -rf /)"],
  ["a process substitution behind a digit", "echo 1<(rm -rf /)"],
  ["the same for output", "cat 3>(rm -rf /)"],
  ["the same as the word of a case", "case 1<(rm -rf /) in *) ;; esac"],
  ["the same in the list of a loop", "for x in 2<(rm -rf /); do :; done"],
  ["a continued line between the dollar and the name", "rm -rf $\\\nHOME"],
  ["the same in double quotes", 'rm -rf "$\\\nHOME"'],
  ["the same before a substitution", 'echo "$\\\n(rm -rf /)"'],
  ["braces behind a closed pair", "rm -rf {x},/}"],
  ["braces behind a closed pair, as the program", "{x},rm,-rf,/} 2>/dev/null; rm -rf {y},/etc}"],
  ["a continued line kept by ANSI-C quotes, which ends a comment", "eval $': #\\\nrm -rf /'"],
  ["the same for a shell", "bash -c $'# note \\\nrm -rf /'"],
];

const UNSEEN: readonly (readonly [string, string])[] = [
  ["test -v", "test -v 'a[$(rm -rf /)]'"],
  ["[[ -v ]]", "[[ -v 'a[$(rm -rf /)]' ]]"],
  ["a comparison of numbers", "x='a[$(rm -rf /)]'; [[ $x -eq 0 ]]"],
  ["a comparison of numbers by name", "x='a[$(rm -rf /)]'; [[ x -eq 0 ]]"],
  ["arithmetic", "x='a[$(rm -rf /)]'; echo $((x))"],
  ["arithmetic through a second name", "x='a[$(rm -rf /)]'; y=x; echo $((y))"],
  ["the prompt of a trace", "PS4='$(rm -rf /)'; set -x; ls"],
  ["a variable expanded as a prompt", "x='$(rm -rf /)'; echo \"${x@P}\""],
  ["the callback of mapfile", "mapfile -C 'rm -rf /; :' -c 1 a <<< x"],
  ["the command of compgen", "compgen -C 'rm -rf /' x"],
  ["another name of a program", "hash -p /bin/rm foo; foo -rf /"],
  ["the words of env -S", "env -S 'rm -rf /'"],
  ["the startup file of bash", "BASH_ENV=<(echo rm -rf /) bash -c true"],
  ["the startup file of bash, written before", "echo rm -rf / > x.sh; BASH_ENV=x.sh bash -c true"],
];

const cases = [...PARSER, ...UNSEEN];

describe.skipIf(!jailWorks)("text that only bash sees as a command", async () => {
  const runs = jailWorks ? await runInJail(cases.map(([, command]) => command)) : [];

  test.each(cases.map((one, at) => [...one, runs[at]] as const))("%s", (_name, command, run) => {
    expect(run && reachedBy(run)).toBe("rm");
    expect(outcomeOf(command)).not.toBe("allow");
  });
});
