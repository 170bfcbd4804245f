// The consequences of a command, over all labelled rows. programs/rows.test.ts compares each row by itself.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONSEQUENCES } from "../../../codes.ts";
import { consequencesOf } from "../../../guard.ts";
import { ALL_PROGRAM_ROWS } from "../program-rows.ts";

const CONTEXT = { home: "/home/op", cwd: "/srv/app", env: {} };

const SAMPLE = ALL_PROGRAM_ROWS.flatMap(({ command, consequences: has }) =>
  has === undefined ? [] : [{ command, has }],
);

const consequences = (command: string): string[] => consequencesOf(command, CONTEXT).consequences.map(({ is }) => is);

describe("the consequences of a command", () => {
  test("are labelled with at least twelve lines each, and sixty that have none", () => {
    for (const name of CONSEQUENCES)
      expect(SAMPLE.filter(({ has }) => has.includes(name)).length, name).toBeGreaterThanOrEqual(12);
    expect(SAMPLE.filter(({ has }) => has.length === 0).length).toBeGreaterThanOrEqual(60);
  });

  test("are those of all parts, each with the first command that has it", () => {
    const { consequences: found } = consequencesOf("sudo docker restart web; rm a; rm b", CONTEXT);
    expect(found).toEqual([
      { is: "restarts_service", command: "docker restart web" },
      { is: "deletes_data", command: "rm a" },
    ]);
  });

  test("stay where further text is added around the command", () => {
    const some = fc.constantFrom(...SAMPLE.map(({ command }) => command).filter((text) => !/<<|#|&$|exit/.test(text)));
    fc.assert(
      fc.property(some, some, (first, second) => {
        const text = `( ${first} )\n( ${second} )`;
        expect(consequences(text)).toEqual(expect.arrayContaining(consequences(first)));
      }),
      { numRuns: 60 },
    );
  });
});

describe("what a command reaches", () => {
  test("is cut to twenty of each kind, and the rest is counted", () => {
    const files = Array.from({ length: 30 }, (_, at) => `f${at}`).join(" ");
    const { paths, more } = consequencesOf(`rm ${files}; ssh nas true`, CONTEXT).reach;
    expect(paths).toHaveLength(20);
    expect(more).toBe(10);
  });

  test("is written for people where the text does not say it", () => {
    expect(consequencesOf('rm "$(cat where)/x"', CONTEXT).reach.paths).toEqual(["<unknown>/x"]);
  });

  test("has no path of a command that only looks", () => {
    expect(consequencesOf("cat /etc/fstab; grep x /var/log/syslog", CONTEXT).reach.paths).toEqual([]);
  });
});
