// The world of one run of a procedure: a directory with the imitated programs in front of the machine's own, and their state. A
// control sees the programs and not the state, as on a machine where nothing of the target exists.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const PROGRAMS = join(import.meta.dirname, "programs");

export type World = ReturnType<typeof makeWorld>;

export function makeWorld() {
  const root = mkdtempSync(join(tmpdir(), "orch-library-"));
  cpSync(PROGRAMS, join(root, "bin"), { recursive: true });
  mkdirSync(join(root, "state"));
  const at = (path: string): string => join(root, path);
  return {
    at,
    /** Where commands find programs. */
    path: `${at("bin")}:${SYSTEM}`,
    write: (path: string, text = ""): string => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
      return at(path);
    },
    directory: (path: string): string => {
      mkdirSync(at(path), { recursive: true });
      return at(path);
    },
    read: (path: string): string => readFileSync(at(path), "utf8"),
    has: (path: string): boolean => existsSync(at(path)),
    /** From now on the programs say that they have done it, and do nothing. */
    lie: (): void => writeFileSync(at("state/lies"), ""),
    [Symbol.dispose]: (): void => rmSync(root, { recursive: true, force: true, maxRetries: 10 }),
  };
}
