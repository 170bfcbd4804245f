// What a running step writes, on the terminal.
import { describe, expect, test } from "vitest";
import { createLiveText } from "../../../src/cli/follow-task.ts";
import { createOut } from "../../../src/cli/out.ts";
import type { LivePiece } from "../../../src/domain/live-output.ts";
import { aResult, journalOf } from "../../support/builders.ts";

const piece = (text: string, over: Partial<LivePiece> = {}): LivePiece => ({
  index: 0,
  attempt: 1,
  stream: "stdout",
  missed_bytes: 0,
  text,
  ...over,
});

function live(json = false) {
  let written = "";
  const sink = { write: (text: string) => (written += text) };
  const stream = sink as unknown as NodeJS.WritableStream;
  const text = createLiveText(createOut({ stdout: stream, stderr: stream, json }));
  const ended = (over: Parameters<typeof aResult>[0]) => {
    for (const event of journalOf({ kind: "step_finished", body: aResult({ index: 0, attempt: 1, ...over }) }))
      text.before({ ...event, at: event.at });
  };
  return { ...text, ended, lines: () => written.replaceAll(/^ {29}/gm, "").split("\n") };
}

describe("the text of a running step", () => {
  test("is shown line by line with control characters escaped, and a line goes on where it ended", () => {
    const { show, lines } = live();
    for (const text of ["one\ntw", "o\n\n", "\u001b[2J\tthree"]) show(piece(text));
    expect(lines()).toEqual(["| one", "| two", "| ", "| \\x1b[2J\tthree"]);
  });

  test("begins a new line on the other stream, and where bytes were missed", () => {
    const { show, lines } = live();
    show(piece("out"));
    show(piece("err", { stream: "stderr" }));
    show(piece("later\n", { missed_bytes: 70 }));
    expect(lines()).toEqual(["| out", "| err", "| [... 70 bytes left out ...]", "| later", ""]);
  });

  test("is completed when the step ends, with the last lines only and nothing twice", () => {
    const { show, ended, wasShown, lines } = live();
    show(piece("a\nb"));
    const rest = Array.from({ length: 10 }, (_, n) => `line ${n}\n`).join("");
    ended({ stdout: "a\nb and c\n", stderr: rest });
    expect(lines()).toEqual([
      ...["| a", "| b and c", "| [... 2 lines left out ...]"],
      ...Array.from({ length: 8 }, (_, n) => `| line ${n + 2}`),
      "",
    ]);
    expect([wasShown({ index: 0, attempt: 1 }), wasShown({ index: 0, attempt: 2 })]).toEqual([true, false]);
  });

  test("finds its place in the recorded output also where a part was missed", () => {
    const { show, ended, lines } = live();
    show(piece("x\nlast\n", { missed_bytes: 9 }));
    ended({ stdout: "left out\nx\nlast\nend\n" });
    expect(lines().slice(1)).toEqual(["| x", "| last", "| end", ""]);
  });

  test("is not completed for a step that was not shown, and begins anew with the next", () => {
    const { show, ended, lines } = live();
    ended({ stdout: "unseen\n" });
    show(piece("one\n"));
    show(piece("two", { index: 1 }));
    ended({ stdout: "one\nmore\n" });
    ended({ index: 1, stdout: "two\nthree\n" });
    expect(lines()).toEqual(["| one", "| two", "| three", ""]);
  });

  test("is said to come again after a lost connection", () => {
    const { show, restart, lines } = live();
    restart();
    show(piece("one"));
    restart();
    show(piece("one"));
    expect(lines()).toEqual([
      "| one",
      "| [... the connection was lost; the last output may follow again ...]",
      "| one",
    ]);
  });

  test("is one line of JSON for each piece", () => {
    const { show, ended, restart, lines } = live(true);
    show(piece("a\nb"));
    restart();
    ended({ stdout: "a\nb\nc" });
    expect(lines()).toEqual([JSON.stringify({ kind: "live_output", ...piece("a\nb") }), ""]);
  });
});
