// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTimeOf } from "../../../../test/support/cpu-time.ts";
import { constantExit } from "../../constant.ts";
import { decoyOf } from "../../decoy.ts";
import { mendsOf } from "../../mends.ts";
import { wordingFault } from "../../misread.ts";
import { conjunctsOf } from "../../parts.ts";
import { readPipes } from "../../pipes.ts";
import { chanceIn, hasOnce, pathsIn } from "../../read-check.ts";

const TARGET = { service: "web", host: "10.0.0.5", port: "8080", compose_dir: "/srv/web" };
const SHELL = { home: "/home/op", cwd: "/srv/web", env: { ORCH_TARGET_SERVICE: "web" } };

function readAll(text: string): void {
  constantExit(text, { ORCH_TARGET_SERVICE: "web", ORCH_PAYLOAD: "{}" });
  chanceIn(text);
  conjunctsOf(text);
  decoyOf(text, TARGET, "/tmp/empty");
  hasOnce(text);
  mendsOf(text);
  wordingFault(text);
  readPipes(text, { strict: false });
  pathsIn(text, SHELL);
}

const PIECES = [
  ..."if then else elif fi for in do done while until case esac function { } ( ) [[ ]] (( )) ! && || ; ;; | & < > >> <<< $( ` \" ' \\ # \n".split(
    " ",
  ),
  ..."test -n \"$(a)\" = $RANDOM ${x:-y} ${x:?} $((x+1)) curl -s http://web:8080/ grep -q web echo true exit 0 break x=$(b) date +%s awk 'NR==2{exit}' trap set -e f() eval read cat <<E\nE".split(
    " ",
  ),
];

describe("every reading of a text", () => {
  test("never throws, for pieces of shell in any order", () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(" "));
    fc.assert(
      fc.property(text, (given) => readAll(given)),
      { numRuns: 400 },
    );
  });

  test("never throws, for any characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (given) => readAll(given)),
      { numRuns: 200 },
    );
  });

  const LONG = [
    ["words", "web "],
    ["searches", "! a | grep -q web; "],
    ["comparisons", 'test "$(a)" = "$(b)"; '],
    ["substitutions", "$("],
    ["branches", "if a; then b; fi; "],
    ["nested branches", "if a; then "],
    ["loops", "for i in 1 2 3; do "],
    ["braces", "{ "],
    ["chains", "a && b || c && "],
    ["assignments", "x=$x$x; "],
    ["quotes", "'\" "],
    ["stars", "[[ a == *a*a"],
    ["slashes", "/"],
    ["blanks", " "],
    ["hashes", "# orch: once "],
    ["awk", "awk '{ if (a) exit 1 } ' "],
  ] as const;

  test.each(LONG)("takes little time for 16 KiB of %s", (_name, piece) => {
    const text = piece.repeat(Math.floor(16_384 / piece.length));
    readAll("true");
    expect(cpuTimeOf(() => readAll(text))).toBeLessThan(3_000);
  });
});
