// The environment of a step, built from nothing (D-039): what this process inherited (tokens, the database address,
// BASH_ENV, LD_*, GIT_*) never reaches a command.

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
