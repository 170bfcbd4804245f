// Builds the environment of a step from nothing (D-039), and finds the directory that it works in (D-038). What this process
// inherited (tokens, the database address, BASH_ENV, LD_*, GIT_*) never reaches a command.
import { access, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The account that runs the steps. An unknown user or time zone is left unset, not guessed. */
export type UserAccount = {
  readonly home: string;
  readonly path?: string | undefined;
  readonly user?: string | undefined;
  readonly tz?: string | undefined;
};

export const baseEnvironment = ({ home, path, user, tz }: UserAccount): Record<string, string> => ({
  PATH: path ?? PATH,
  HOME: home,
  ...(user === undefined ? {} : { USER: user }),
  ...(tz === undefined ? {} : { TZ: tz }),
  LANG: "C.UTF-8",
  // Without it, bash may assume a remote login shell and read ~/.bashrc.
  SHLVL: "1",
  // A step has no terminal to answer a prompt or to leave a pager.
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  DEBIAN_FRONTEND: "noninteractive",
});

export type WorkingDirectory = { readonly cwd: string } | { readonly issue: string };

/**
 * The directory that the commands of a task work in (D-038). With `roots`, the directory must be one of them or below one after
 * all links are followed.
 */
export async function workingDirectory(
  compose_dir: string | undefined,
  home: string,
  roots: readonly string[] | null = null,
): Promise<WorkingDirectory> {
  if (compose_dir === undefined) return { cwd: home };
  const refused = (why: string): WorkingDirectory => ({ issue: `compose_dir ${JSON.stringify(compose_dir)} ${why}` });
  if (!isAbsolute(compose_dir)) return refused("is not an absolute path");
  try {
    const cwd = await realpath(compose_dir);
    if (cwd === "/") return refused("is the root directory");
    if (!(await stat(cwd)).isDirectory()) return refused("is not a directory");
    if (roots === null || (await liesBelow(cwd, roots))) return { cwd };
    const real = cwd === compose_dir ? "" : `is ${JSON.stringify(cwd)} after its links are followed and `;
    return refused(`${real}is not in a directory of ORCH_COMPOSE_ROOTS (${roots.join(", ")})`);
  } catch (error) {
    return refused(`cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function liesBelow(directory: string, roots: readonly string[]): Promise<boolean> {
  // A root that does not exist contains nothing.
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => null)));
  return real.some((root) => root !== null && isWithin(relative(root, directory)));
}

/** Whether this account has the right (`constants.R_OK` and its like) to what is at the path. */
export const isAllowed = (path: string, right: number): Promise<boolean> =>
  access(path, right).then(
    () => true,
    () => false,
  );

const isWithin = (path: string): boolean => path !== ".." && !path.startsWith("../");

/** Those of the paths that lie in one of the roots; all where there are no roots. */
export async function inRoots(paths: readonly string[], roots: readonly string[] | null): Promise<string[]> {
  if (roots === null) return [...paths];
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  const inside = await Promise.all(real.map(async (path) => path !== null && (await liesBelow(path, roots))));
  return paths.filter((_, at) => inside[at]);
}
