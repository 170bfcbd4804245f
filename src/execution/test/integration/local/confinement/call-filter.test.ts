// The filter of system calls alone: what it refuses, what it lets through, and what a program becomes under it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filteringCalls } from "../../../../sandbox/call-filter.ts";

const FILTER = filteringCalls();
const hasPython = spawnSync("python3", ["-c", ""]).status === 0;

/** In a directory of its own. */
function filtered(...argv: string[]) {
  const cwd = mkdtempSync(join(tmpdir(), "orch-filter-"));
  try {
    const { status, stdout, stderr } = spawnSync("setpriv", ["--no-new-privs", ...FILTER, ...argv], {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
    });
    return { status, stdout, stderr };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

describe.skipIf(FILTER.length === 0)("under the filter", () => {
  test.each([
    "touch a && chmod 4755 a",
    "touch a && chmod g+s a",
    "mkdir -m 2755 a",
    "install -m 4755 /bin/true a",
    "cp /bin/true a && chmod u+s a",
  ])("%s is refused, and leaves no such mode", (script) => {
    const { status, stderr, stdout } = filtered("bash", "-c", `${script}; code=$?; find . -perm /6000; exit $code`);
    expect([status === 0, stdout, /not permitted/i.test(stderr)]).toEqual([false, "", true]);
  });

  test("ordinary modes, files, programs and sockets are as without it", () => {
    const script = `umask 022; touch a; chmod 755 a; mkdir -p b/c; install -m 640 a b/d; : > e; mktemp -p . > /dev/null
stat -c %a a b b/d e; bash -c 'exec -a named true'; sh -c 'exit 7'`;
    expect(filtered("bash", "-c", script)).toMatchObject({ status: 7, stdout: "755\n755\n640\n644\n" });
  });

  test.skipIf(!hasPython)(
    "keys, sockets to a host of virtual machines, and calls that it cannot see are refused",
    () => {
      const code = `import ctypes, platform, socket
c = ctypes.CDLL(None, use_errno=True)
x86 = platform.machine() == "x86_64"
def error(*call):
    ctypes.set_errno(0)
    c.syscall(*call)
    return ctypes.get_errno()
print([error(n, 0, -4, 1) for n in ((248, 249, 250) if x86 else (217, 218, 219))], error(437, -100, b"x", None, 0), error(425, 1, None))
for family in (40, socket.AF_INET, socket.AF_UNIX):
    try: socket.socket(family, socket.SOCK_STREAM); print("opened")
    except OSError as fault: print(fault.errno)`;
      expect(filtered("python3", "-c", code).stdout).toBe("[38, 38, 38] 38 38\n97\nopened\nopened\n");
    },
  );

  test("a program that is not there is named", () => {
    expect(filtered("/no/such")).toMatchObject({ stderr: "/no/such: No such file or directory\n" });
  });
});
