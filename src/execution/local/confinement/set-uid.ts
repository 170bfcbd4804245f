// Whether the text of a step names a program that runs with the rights of another account, as sudo does. In the namespace that hides
// something from an account other than root, such a program has no effect, and a mount is seen by no one else.
import { readdir, stat } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";

const SET_UID = 0o4000;
/** They start such a program themselves, or mount file systems for others to use. */
const ALSO = ["podman", "buildah", "crontab", "sshfs", "rclone", "zfs", "zpool", "losetup", "cryptsetup"];
const DIRECTORIES = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const WORD = /[\w./$-]+/g;

export function createNamesSetUid() {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return async (script: string, path = DIRECTORIES): Promise<boolean> => {
    const programs = known.get(path) ?? setUidIn(path);
    known.set(path, programs);
    const names = await programs;
    const directories = new Set(path.split(delimiter));
    const isNamed = (word: string) => names.has(word) || (directories.has(dirname(word)) && names.has(basename(word)));
    return (script.match(WORD) ?? []).some(isNamed);
  };
}

async function setUidIn(path: string): Promise<ReadonlySet<string>> {
  const files = await Promise.all(
    path.split(delimiter).map(async (directory) => {
      const names = await readdir(directory).catch(() => []);
      return names.map((name) => ({ name, file: join(directory, name) }));
    }),
  );
  const found = await Promise.all(
    files.flat().map(async ({ name, file }) => {
      const mode = await stat(file).then(
        (entry) => entry.mode,
        () => 0,
      );
      return (mode & SET_UID) === 0 ? [] : [name];
    }),
  );
  return new Set([...ALSO, ...found.flat()]);
}
