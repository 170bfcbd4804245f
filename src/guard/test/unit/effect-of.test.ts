// The effect of a command, over all labelled rows. programs/rows.test.ts compares each row by itself.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { effectOf } from "../../guard.ts";
import { CONTEXT } from "./guard-outcome.ts";
import { ALL_PROGRAM_ROWS } from "./program-rows.ts";

const SAMPLE = ALL_PROGRAM_ROWS.filter(({ effect }) => effect !== undefined);
const labelled = (effect: string): string[] =>
  SAMPLE.filter((line) => line.effect === effect).map(({ command }) => command);

const is = (command: string): string => effectOf(command, CONTEXT).is;

describe("the effect of a command", () => {
  test("is the strongest effect of its parts", () => {
    expect(is("ls; my-tool; rm x")).toBe("changes");
    expect(is("ls; my-tool")).toBe("unknown");
    expect(is("ls; df")).toBe("reads");
  });

  test("is reported with the first command that has it", () => {
    expect(effectOf("cd x; sudo systemctl restart web; rm y", CONTEXT)).toEqual({
      is: "changes",
      command: "systemctl restart web",
      why: "changes services",
    });
    expect(effectOf("df; my-tool -x; other", CONTEXT)).toEqual({
      is: "unknown",
      command: "my-tool -x",
      why: "program my-tool is not known to only look",
    });
    expect(effectOf("docker ps; docker attach web", CONTEXT)).toMatchObject({
      command: "docker attach web",
      why: "this use of docker is not known to only look",
    });
  });

  test.each(["if true; then", "$(cat tool) x", "curl x | sh", `echo ${"x".repeat(70_000)}`])(
    "is unknown when the text does not show it: %.20s",
    (command) => {
      expect(is(command)).toBe("unknown");
    },
  );

  test("includes text that may not be a command only when it is known to change something", () => {
    expect(is("git -c color.ui=never status")).toBe("reads");
    expect(is("python3 -c 'import os; os.system(\"rm x\")'")).toBe("changes");
  });
});

const looking = fc.constantFrom(...labelled("reads"));

describe("a command that only reads", () => {
  test("changes something when its output goes into a file", () => {
    const redirection = fc.constantFrom(">", ">>", ">|", "&>", "&>>", "2>", "2>>", "<>");
    const file = fc.constantFrom("out.txt", "/var/log/out", '"$HOME/out"', "~/out", "$UNSET_NAME/out", "/dev/shm/out");
    fc.assert(
      fc.property(looking, redirection, file, (command, operator, path) => {
        expect(is(`{ ${command}\n} ${operator} ${path}`)).toBe("changes");
      }),
    );
  });

  test("changes something together with a changing command, in either order", () => {
    const changing = fc.constantFrom(...labelled("changes"));
    fc.assert(
      fc.property(looking, changing, (look, change) => {
        expect(is(`{ ${look}\n}\n${change}\n`)).toBe("changes");
        expect(is(`${change}\n{ ${look}\n}`)).toBe("changes");
      }),
    );
  });

  test("only reads after a launcher and on another machine too", () => {
    const simple = labelled("reads").filter((command) =>
      /^(?!\[\[|for |if |while )[\w-]+( [\w./:=-]+)*$/.test(command),
    );
    expect(simple.length).toBeGreaterThan(300);
    fc.assert(
      fc.property(
        fc.constantFrom(...simple),
        fc.constantFrom("sudo", "timeout 5", "env A=b", "ssh host"),
        (command, by) => {
          expect(is(`${by} ${command}`)).toBe("reads");
        },
      ),
    );
  });
});

test("the sample covers every label well", () => {
  expect(SAMPLE.length).toBeGreaterThan(1000);
  for (const effect of ["reads", "changes", "unknown"]) expect(labelled(effect).length, effect).toBeGreaterThan(90);
});
