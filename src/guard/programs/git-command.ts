// The command line of git: global options taken away, the subcommand, its arguments, and what `-c` set.

export type GitCommand = {
  readonly verb: string;
  readonly args: readonly string[];
  /** `-C` directories in order. */
  readonly directories: readonly string[];
  /** `name=value` of each `-c`. */
  readonly config: readonly string[];
  /** `name=VARIABLE` of each `--config-env`. */
  readonly config_env: readonly string[];
};

const VALUED = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--super-prefix",
  "--config-env",
  "--attr-source",
]);

export function gitCommand(argv: readonly string[]): GitCommand {
  const directories: string[] = [];
  const config: string[] = [];
  const config_env: string[] = [];
  for (let at = 1; at < argv.length; at += 1) {
    const arg = argv[at] ?? "";
    if (!arg.startsWith("-")) return { verb: arg, args: argv.slice(at + 1), directories, config, config_env };
    if (arg.startsWith("--config-env=")) config_env.push(arg.slice(13));
    if (!VALUED.has(arg)) continue;
    at += 1;
    if (arg === "-C") directories.push(argv[at] ?? "");
    if (arg === "--config-env") config_env.push(argv[at] ?? "");
    if (arg === "-c") config.push(argv[at] ?? "");
  }
  return { verb: "", args: [], directories, config, config_env };
}
