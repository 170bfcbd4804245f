// The command line of the cookie tool.
import { describe, expect, test } from "vitest";
import { readArguments, USAGE } from "../../../cookie/arguments.ts";

const run = { is: "run", port: 3456, minutes: 30, quiet: false };

describe("the command line of the cookie tool", () => {
  test("[8.cookie_port] has port 3456 unless it says otherwise", () => {
    expect(readArguments([])).toEqual(run);
  });

  test.each([
    [["--port", "3457"], { ...run, port: 3457 }],
    [["--port=1"], { ...run, port: 1 }],
    [["--port", "65535", "--quiet"], { ...run, port: 65_535, quiet: true }],
    [["--minutes", "5"], { ...run, minutes: 5 }],
    [["--minutes", "0.5"], { ...run, minutes: 0.5 }],
    [["--help"], { is: "help" }],
    [["-h", "--port", "0"], { is: "help" }],
  ])("reads %j", (argv, order) => {
    expect(readArguments(argv)).toEqual(order);
  });

  test.each([
    [["--port", "0"], '--port must be a number from 1 to 65535, not "0"'],
    [["--port", "65536"], '--port must be a number from 1 to 65535, not "65536"'],
    [["--port", "3456x"], '--port must be a number from 1 to 65535, not "3456x"'],
    [["--port", "1e3"], '--port must be a number from 1 to 65535, not "1e3"'],
    [["--port", ""], '--port must be a number from 1 to 65535, not ""'],
    [["--port", "1\n2"], '--port must be a number from 1 to 65535, not "1\\n2"'],
    [["--port", "-1"], "Option '--port' argument is ambiguous"],
    [["--port"], "Option '--port <value>' argument missing"],
    [["--minutes", "0"], '--minutes must be a number above 0 and at most 1440, not "0"'],
    [["--minutes", "1441"], '--minutes must be a number above 0 and at most 1440, not "1441"'],
    [["--minutes", "Infinity"], '--minutes must be a number above 0 and at most 1440, not "Infinity"'],
    [["--quiet=yes"], "Option '--quiet' does not take an argument"],
    [["--silent"], "Unknown option '--silent'"],
    [["-p"], "Unknown option '-p'"],
    [["now"], "Unexpected argument 'now'"],
    [["--", "now"], "Unexpected argument 'now'"],
  ])("refuses %j with one sentence", (argv, message) => {
    expect(readArguments(argv)).toEqual({ is: "wrong", message: `${message} (--help shows the options)` });
  });

  test("explains every option", () => {
    for (const option of ["--port", "--minutes", "--quiet", "--help"]) expect(USAGE).toContain(option);
  });
});
