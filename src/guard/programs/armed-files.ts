// Lists files that something runs later without being named, and which of their lines are commands: schedules, units, hooks,
// start files of shells, and settings of programs that start others (D-283).

type CommandsOf = (text: string) => readonly string[];

const whole: CommandsOf = (text) => [text];

/** What the group of each match holds. */
const each =
  (pattern: RegExp): CommandsOf =>
  (text) =>
    [...text.replace(/\\\n/g, " ").matchAll(pattern)].map(([, command = ""]) => command);

/** `ExecStart=-/bin/x`: the marks before the program are not part of it. */
export const unitCommands: CommandsOf = (text) =>
  each(/^[^\S\n]*Exec\w+[^\S\n]*=[^\S\n]*[-@:+!|]*(.+)$/gm)(text).map((command) =>
    command.replaceAll("%%", "%").replaceAll("$$", "$"),
  );

const TIMES = /^\s*(?:@\w+\s+|(?:\S+\s+){5})/;

const scheduled: CommandsOf = (text) =>
  text
    .split("\n")
    .filter((line) => TIMES.test(line) && !/^\s*#/.test(line))
    .map((line) => line.replace(TIMES, ""));

/** A table of the system has an account before the command. */
const scheduledFor: CommandsOf = (text) => scheduled(text).map((command) => command.replace(/^\S+\s+/, ""));

/** Texts in quotes: `DPkg::Post-Invoke {"x";};`. */
const invoked: CommandsOf = (text) =>
  /(?:Pre|Post)-Invoke|Pre-Install-Pkgs/i.test(text) ? each(/"((?:[^"\\\n]|\\.)*)"/g)(text) : [];

const ROWS: readonly (readonly [RegExp, CommandsOf])[] = [
  [/^\/var\/spool\/cron\//, scheduled],
  [/^\/etc\/(?:crontab|cron\.d\/|anacrontab)/, scheduledFor],
  [
    /^\/etc\/(?:cron\.(?:hourly|daily|weekly|monthly)\/|rc\.local$|init\.d\/|profile$|profile\.d\/|bash\.bashrc$|zsh\/|update-motd\.d\/|network\/if-\S+\.d\/|NetworkManager\/dispatcher\.d\/|networkd-dispatcher\/|dhcp\/dhclient-\S+-hooks\.d\/|ppp\/ip-\w+|kernel\/\w+\.d\/|letsencrypt\/renewal-hooks\/|acpi\/\S+\.sh$)/,
    whole,
  ],
  [/^\/(?:usr\/)?lib\/systemd\/system-(?:shutdown|sleep|generators)\//, whole],
  [
    /\/\.(?:bashrc|bash_(?:profile|login|logout|aliases)|profile|zshrc|zprofile|zlogin|zshenv|xprofile|xinitrc|envrc)$|\/\.ssh\/rc$|\/\.husky\/[\w-]+$/,
    whole,
  ],
  [/^\/etc\/network\/interfaces(?:$|\.d\/)/, each(/^\s*(?:pre-|post-)?(?:up|down)\s+(.+)$/gm)],
  [/^\/etc\/wireguard\/\S+\.conf$/, each(/^\s*(?:Pre|Post)(?:Up|Down)\s*=\s*(.+)$/gim)],
  [/\/udev\/rules\.d\//, each(/\bRUN(?:\{program\})?\+?=\s*"([^"]*)"/g)],
  [/^\/etc\/apt\/apt\.conf(?:$|\.d\/)/, invoked],
  [
    /^\/etc\/logrotate(?:\.conf$|\.d\/)/,
    each(/^\s*(?:\S.*\{\s*)?(?:pre|post|first|last)(?:rotate|action)\s*\n([\s\S]*?)^\s*endscript/gm),
  ],
  [/^\/etc\/supervis\S*\.(?:conf|ini)$/, each(/^\s*command\s*=\s*(.+)$/gm)],
  [/\/\.ssh\/config$|^\/etc\/ssh\/ssh_config/, each(/^\s*(?:Proxy|Local|KnownHosts)Command[=\s]\s*(.+)$/gim)],
  [/\/\.?tmux\.conf$/, each(/\b(?:default-command|run(?:-shell)?|if-shell)\s+(?:-b\s+)?["']([^"'\n]*)["']/g)],
  [/\/\.?(?:vim|nvim|ex)rc$|\/init\.vim$/, each(/(?:^|\s)(?:silent\s+)?!(.+)$/gm)],
  [/\/\.pre-commit-(?:config|hooks)\.yaml$/, each(/^\s*(?:-\s+)?entry:\s*(.+)$/gm)],
  [/\/Procfile$/, each(/^[\w-]+:\s*(.+)$/gm)],
  [/\/(?:pyproject|mise|\.mise)\.toml$/, each(/^\s*(?:[\w-]+|run|cmd|shell)\s*=\s*"((?:[^"\\\n]|\\.)*)"/gm)],
  [/\/deno\.jsonc?$/, each(/"[\w:-]+"\s*:\s*"((?:[^"\\]|\\.)*)"/g)],
];

const HINT =
  /cron|init\.d|rc\.local|profile|rc$|\.d\/|git|system-|envrc|bash_|zlogin|zshenv|hooks|interfaces|wireguard|apt\.conf|logrotate|supervis|config|tmux|init\.vim|Procfile|\.toml$|deno|dispatcher|\/etc\/(?:ppp|acpi)|husky/;

/** Most paths are none of them, and are looked at once. */
export const mayBeArmed = (path: string): boolean => HINT.test(path);

/** `file` is absolute. */
export const armedCommands = (file: string, text: string): readonly string[] =>
  ROWS.flatMap(([pattern, commandsOf]) => (pattern.test(file) ? commandsOf(text) : []));
