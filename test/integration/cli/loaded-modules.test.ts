// A command loads what it needs: the shapes of operations, and neither their handlers nor the guard.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
/** The table of commands alone is in fifteen files, one for each feature that has commands. */
const MOST_FILES = 139;

/** The files under src that the program and one command load, as paths from there. */
const loadedByCommand = (name: string): Promise<string[]> =>
  loadedBy(`
    await import("${ROOT}/src/cli/program.ts");
    const { COMMANDS } = await import("${ROOT}/src/cli/table/commands.ts");
    await COMMANDS.find(({ name }) => name === "${name}").run();`);

async function loadedBy(code: string): Promise<string[]> {
  const script = `
    import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
    ${code}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  const source = `file://${ROOT}/src/`;
  return stdout.split("\n").flatMap((url) => (url.startsWith(source) ? [url.slice(source.length)] : []));
}

test.each(["submit", "task", "tasks", "teach", "approve", "explain"])(
  "%s loads neither handlers of operations nor the guard",
  async (name) => {
    const files = await loadedByCommand(name);
    expect(files).toContain("cli/program.ts");
    expect(
      files.filter((file) => /^(guard\/(?!codes\.ts$)|store|engine\/worker|execution|api\/(http|mcp))\//.test(file)),
    ).toEqual([]);
    expect(
      files.filter((file) =>
        /^guard\/(?!codes\.ts$)|^api\/operations\/(table|create-operations|explain)\.ts$/.test(file),
      ),
    ).toEqual([]);
    expect(files.length).toBeLessThan(MOST_FILES);
  },
);

test("the bridge of MCP to stdio loads no server", async () => {
  const files = await loadedBy(`await import("${ROOT}/src/api/mcp/stdio.ts");`);
  expect(files).toContain("api/mcp/stdio.ts");
  expect(files.length).toBeLessThan(15);
});
