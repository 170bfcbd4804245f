// Holds the records of shells, and of programs that print text for their `eval`.
import { isWritten } from "../../interpreter/redirects.ts";
import { optionValues, parseOptions } from "../../words/options.ts";
import type { EffectRule, ProgramRecord, StartedBy } from "../record.ts";
import { COMPLETIONS } from "../rules/effects.ts";
import { shell, startFiles } from "../rules/shell.ts";
import { each, wholeText } from "../rules/texts.ts";

/** Scripts that the system or a shell starts by their place. */
const SCRIPTS: readonly StartedBy[] = [
  {
    files:
      /^\/etc\/(?:cron\.(?:hourly|daily|weekly|monthly)\/|rc\.local$|init\.d\/|profile$|profile\.d\/|bash\.bashrc$|zsh\/|update-motd\.d\/|network\/if-\S+\.d\/|NetworkManager\/dispatcher\.d\/|networkd-dispatcher\/|dhcp\/dhclient-\S+-hooks\.d\/|ppp\/ip-\w+|kernel\/\w+\.d\/|letsencrypt\/renewal-hooks\/|acpi\/\S+\.sh$)/,
    commands: wholeText,
  },
  { files: /^\/(?:usr\/)?lib\/systemd\/system-(?:shutdown|sleep|generators)\//, commands: wholeText },
  {
    files:
      /\/\.(?:bashrc|bash_(?:profile|login|logout|aliases)|profile|zshrc|zprofile|zlogin|zshenv|xprofile|xinitrc|envrc)$|\/\.ssh\/rc$|\/\.husky\/[\w-]+$/,
    commands: wholeText,
  },
];

const TASKS_OF_TOML: readonly StartedBy[] = [
  {
    files: /\/(?:pyproject|mise|\.mise)\.toml$/,
    commands: each(/^\s*(?:[\w-]+|run|cmd|shell)\s*=\s*"((?:[^"\\\n]|\\.)*)"/gm),
  },
];

function shellScript(args: readonly string[]): readonly string[] {
  const spelled = args.map((arg) => arg.replace(/^\+(?=[a-zA-Z]+$)/, "-"));
  const parsed = parseOptions(spelled, { short: "oO", long: ["rcfile", "init-file"] }, false);
  const start = optionValues(parsed, "rcfile", "init-file").filter((path) => path !== null);
  if (parsed.options.some(({ name }) => name === "c" || name === "s" || name === "n")) return start;
  return [...start, ...parsed.operands.slice(0, 1)];
}

/** `bash file` runs unknown text, unless the program wrote that file itself. */
const shellEffect: EffectRule = ([, ...args], state) => {
  const { options: flags, operands } = parseOptions(args, { short: "oO", long: ["rcfile", "init-file"] }, false);
  const [script] = operands;
  const shown = flags.some(({ name }) => /^(c|n|s|version|help)$/.test(name));
  return shown || script === undefined || isWritten(script, state) ? "reads" : "unknown";
};

const GIVEN = /^-[a-z]*c$/;

/** `enter:execute(less {})`, `start:reload:ls`. */
const FZF_ACTIONS =
  /(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform(?:-[\w-]+)?|preview)(?:\(([^)]*)\)|\[([^\]]*)\]|\{([^}]*)\}|:(.*))/g;

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "bash sh",
    runs: shell,
    files: shellScript,
    armed: startFiles,
    effect: shellEffect,
    suspected: 25,
    suspectedInWords: true,
    code: GIVEN,
    otherOutput: true,
    readsCode: true,
    startedBy: SCRIPTS,
    writesKnown: true,
  },
  {
    names: "dash zsh",
    runs: shell,
    files: shellScript,
    armed: startFiles,
    effect: shellEffect,
    suspected: 25,
    suspectedInWords: true,
    code: GIVEN,
    readsCode: true,
    startedBy: SCRIPTS,
    writesKnown: true,
  },
  {
    names: "ksh",
    runs: shell,
    files: shellScript,
    armed: startFiles,
    effect: shellEffect,
    code: GIVEN,
    readsCode: true,
    writesKnown: true,
  },
  {
    names: "ash mksh rbash fish",
    runs: shell,
    files: shellScript,
    armed: startFiles,
    effect: shellEffect,
    code: GIVEN,
    readsCode: true,
  },
  { names: "dircolors lesspipe register-python-argcomplete", printsSetup: true },
  { names: "fnm opam asdf", printsSetup: "env" },
  {
    names: "mise",
    printsSetup: "activate env hook-env",
    obeys: {
      when: /^(?:run|r|x|exec|watch|tasks? run)(?:\s|$)/,
      names:
        "mise.toml .mise.toml mise.local.toml .mise/config.toml .config/mise.toml .config/mise/config.toml mise-tasks/* .mise/tasks/*",
    },
    startedBy: TASKS_OF_TOML,
  },
  { names: "direnv", printsSetup: "hook export" },
  {
    names: "fzf",
    effect: "unknown",
    printsSetup: "--bash --zsh",
    commands: [
      { options: "preview", variables: "FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND FZF_ALT_C_COMMAND" },
      { options: "bind", within: FZF_ACTIONS },
      {
        variables: "FZF_DEFAULT_OPTS FZF_CTRL_T_OPTS FZF_CTRL_R_OPTS",
        within: /--preview[\s=]+(?:"([^"]*)"|'([^']*)'|(\S+))/g,
      },
      { variables: "FZF_DEFAULT_OPTS FZF_CTRL_T_OPTS FZF_CTRL_R_OPTS", within: FZF_ACTIONS },
    ],
  },
  { names: "jump", printsSetup: "shell" },
  { names: "starship zoxide atuin pyenv rbenv nodenv goenv jenv", printsSetup: "init" },
  { names: "thefuck", printsSetup: "--alias" },
  { names: "micromamba", printsSetup: "shell" },
  { names: "rauc", printsSetup: "status" },
  { names: "luarocks", printsSetup: "path", obeys: { operands: /:\/\/|\.rock(?:spec)?$/ } },
  { names: "hugo", printsSetup: COMPLETIONS },
];
