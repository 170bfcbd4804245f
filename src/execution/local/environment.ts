// The environment of a step, built from nothing: what this process inherited (tokens, the database address, BASH_ENV,
// LD_*, GIT_*) never reaches a command (spec section 5; design: Execution).

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Facts of the account the steps run under. A user or time zone that is not given is left unset, not guessed. */
export type Account = {
  readonly home: string;
  readonly path?: string | undefined;
  readonly user?: string | undefined;
  readonly tz?: string | undefined;
};

export const baseEnvironment = ({ home, path, user, tz }: Account): Record<string, string> => ({
  PATH: path ?? PATH,
  HOME: home,
  ...(user === undefined ? {} : { USER: user }),
  ...(tz === undefined ? {} : { TZ: tz }),
  LANG: "C.UTF-8",
  // Without it bash may take itself for a remote login shell and read ~/.bashrc.
  SHLVL: "1",
  // Nobody is there to answer a prompt or to leave a pager.
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  DEBIAN_FRONTEND: "noninteractive",
});
