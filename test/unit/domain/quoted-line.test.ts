// T5: what outcomes quote of a tool's error is its first line with words, and the title of a page.
import { expect, test } from "vitest";
import { quotedLine } from "../../../src/domain/output-lines.ts";
import { aResult } from "../../support/builders.ts";

const failed = (stderr: string) => quotedLine(aResult({ kind: "mcp_call", status: "failed", exit_code: 1, stderr }));

test.each([
  [
    "1 validation error for write\npath\n  Field required\n    For further information visit https://errors.dev/v",
    "1 validation error for write",
  ],
  ["\n\n  ---\nError: no such table: users\n", "Error: no such table: users"],
  [
    "HTTP 502 <html>\r\n<head><title>502 Bad\n Gateway</title></head>\r\n<body>\r\n<center><h1>x</h1></center>\r\n</html>",
    "HTTP 502 Bad Gateway",
  ],
  ["HTTP 404 <!DOCTYPE html><body><h1>Not <b>here</b></h1></body>", "HTTP 404 Not here"],
  ["<html><body>nothing</body></html>", "<html><body>nothing</body></html>"],
  ["HTTP 500 <html><body>no title</body>\n</html>", "HTTP 500"],
  ["Error: expected <body> in <title>a</title>\nline 3", "Error: expected <body> in <title>a</title>"],
  ["größe fehlt", "größe fehlt"],
  [`${"x".repeat(500)}\nend`, "x".repeat(200)],
  ["---\n***", ""],
])("%j is quoted as %j", (stderr, line) => {
  expect(failed(stderr)).toBe(line);
});

test.each([
  ["a command", { kind: "cmd", status: "failed", exit_code: 1, stderr: "first\nlast\n" }, "last"],
  ["a call that passed", { kind: "mcp_call", status: "passed", exit_code: 0, stdout: "{}" }, "{}"],
] as const)("the last line of %s is quoted, as before", (_what, result, line) => {
  expect(quotedLine(aResult(result))).toBe(line);
});
