// Options and operands that make a program which otherwise looks write a file, send data or run another program, as data.
// They are matched against the words of the command line, long options also where they are shortened.
import { rowsByName, words } from "../words/options.ts";
import { type Effect, isFile } from "./record.ts";

type SideRow = {
  readonly programs: string;
  /** Long options, without dashes, and how they are shortened is the program's affair. */
  readonly long?: string;
  /** Words as they are. */
  readonly words?: RegExp;
  /** All words after the name, joined. */
  readonly line?: RegExp;
  readonly effect: Effect;
};

const WRITES: Effect = { changes: "writes files" };
const SENDS: Effect = { changes: "sends data" };
const ACTS: Effect = { changes: "changes what it is asked about" };

const ROWS: readonly SideRow[] = [
  {
    programs: "curl",
    long: "etag-save hsts libcurl alt-svc trace trace-ascii trace-config cookie-jar dump-header output stderr output-dir ssl-sessions ip-tos-log",
    effect: WRITES,
  },
  {
    programs: "curl",
    words: /^-[a-zA-Z]*[DcoO](?=$|[^\s-])/,
    line: /-[a-zA-Z]*(?:D|c)\s+(?!-|\/dev\/null)\S/,
    effect: WRITES,
  },
  { programs: "curl", words: /^(?:telnet|gopher|gophers|smtps?|ldap|dict|mqtt|rtsp|smb|tftp):/i, effect: SENDS },
  {
    programs: "wget wget2",
    long: "save-cookies append-output output-file warc-file hsts-file rejected-log",
    effect: WRITES,
  },
  { programs: "git", long: "output output-directory", effect: WRITES },
  { programs: "git", long: "upload-pack receive-pack exec", effect: "unknown" },
  {
    programs: "git",
    words:
      /^(?:ext|fd)::|^protocol\.\S*allow=|^(?:core|diff|gpg|credential|filter|merge|uploadpack|remote)\.\S*(?:command|program|helper|textconv|pager|editor|hook\w*|vcs)=/i,
    effect: "unknown",
  },
  { programs: "ausearch", long: "checkpoint", effect: WRITES },
  { programs: "ssh", line: /(?:^|\s)-[a-zA-Z0-9]*E\s*\S/, effect: WRITES },
  { programs: "kubectl oc k9s k3s", long: "profile-output cache-dir log-file log-dir", effect: WRITES },
  {
    programs: "npm pnpm yarn",
    words: /^--(?:logs-dir|cache|userconfig|globalconfig|script-shell|node-options)(?:=|$)/,
    effect: "unknown",
  },
  { programs: "pip pip3 pip2", long: "log log-file report", effect: WRITES },
  { programs: "blkid", words: /^-\w*c/, line: /-\w*c\s*(?!\/dev\/null)\S/, effect: WRITES },
  { programs: "openssl", words: /^-(?:keylogfile|out|sess_out|writerand|keyout|msgfile)$/, effect: WRITES },
  { programs: "openssl", words: /^-(?:engine|provider|provider-path|config)$/, effect: "unknown" },
  { programs: "gpg gpg2", long: "status-file logger-file attribute-file log-file output", effect: WRITES },
  { programs: "gpg gpg2", long: "photo-viewer exec-path agent-program dirmngr-program", effect: "unknown" },
  {
    programs: "apt apt-get apt-cache aptitude",
    words: /(?:Dir::|DPkg::|APT::Update::|Binary::|Acquire::)\S*=?/i,
    effect: "unknown",
  },
  { programs: "restic rclone", long: "password-command", effect: "unknown" },
  {
    programs: "rclone",
    long: "log-file output-file combined differ match missing-on-src missing-on-dst error dest-after cpuprofile memprofile",
    effect: WRITES,
  },
  { programs: "restic", long: "target", effect: WRITES },
  { programs: "journalctl", long: "cursor-file", effect: WRITES },
  { programs: "dmidecode", long: "dump-bin", effect: WRITES },
  { programs: "atop", words: /^-\w*w/, effect: WRITES },
  { programs: "git", long: "lost-found", effect: WRITES },
  { programs: "yq", words: /^-s|^--split/, effect: WRITES },
  { programs: "mosquitto_sub", long: "remove-retained", effect: ACTS },
  {
    programs: "vcgencmd",
    line: /^(?!(?:measure_|get_|version|vcos|bootloader_version|readmr|read_ring_osc|mem_|codec_enabled|commands|pmic_read_adc|hdmi_timings|dispmanx_list|display_power$))/,
    effect: ACTS,
  },
  { programs: "nft", line: /;/, effect: "unknown" },
  {
    programs: "resolvectl systemd-resolve",
    long: "flush-caches reset-statistics reset-server-features set-dns set-domain revert",
    effect: ACTS,
  },
  { programs: "rpm rpmspec", long: "eval pipe define load macros rcfile", words: /^-E/, effect: "unknown" },
  { programs: "bat batcat", long: "pager", effect: "unknown" },
  {
    programs: "delta man",
    long: "pager html",
    words: /^-[PH]$/,
    line: /^(?!.*--no-pager).*(?:-P|--pager)[ =]\S/,
    effect: "unknown",
  },
  { programs: "nginx", words: /^-g/, effect: "unknown" },
  { programs: "certbot", long: "pre-hook post-hook deploy-hook renew-hook manual-auth-hook", effect: "unknown" },
  { programs: "cpio", line: /-\w*[oO]\w*\s.*(?:-\w*F|--file)|-\w*oF/, effect: WRITES },
  { programs: "pv", long: "output", words: /^-\w*o/, effect: WRITES },
  { programs: "ncdu", words: /^-\w*[oO](?!-$)/, effect: WRITES },
  { programs: "hwinfo", long: "log dump-db save-config", effect: WRITES },
  { programs: "rpcinfo", words: /^-d/, effect: ACTS },
  { programs: "tldr", long: "update clear-cache", words: /^-\w*[uc]/, effect: WRITES },
  { programs: "speedtest speedtest-cli", long: "share", effect: SENDS },
  { programs: "vagrant", line: /^global-status\b.*--prune/, effect: ACTS },
  { programs: "borg", long: "repair", effect: { changes: "changes a backup" } },
  {
    programs: "k3d",
    line: /^(?:node|cluster|registry|kubeconfig)\s+(?:create|delete|start|stop|edit|merge)\b/,
    effect: ACTS,
  },
];

/** By the name of the program. */
export const SIDE_EFFECTS = rowsByName(ROWS, ({ programs }) => programs);
/** Shorter ones could be meant for other options. */
const SHORTEST = 4;

const isNamed = (word: string, long: readonly string[]): boolean => {
  const [, name = ""] = /^--([\w-]+)/.exec(word) ?? [];
  return long.some((full) => full === name || (name.length >= SHORTEST && full.startsWith(name)));
};

/** Whether the option writes to the output of the program, or to nowhere. */
function writesNoFile(args: readonly string[], at: number): boolean {
  const [word = "", next] = args.slice(at);
  const value = word.includes("=") ? word.slice(word.indexOf("=") + 1) : next;
  return value !== undefined && !isFile(value);
}

/** What its options add to a program that looks; null: nothing. */
export function sideEffectOf([name = "", ...args]: readonly string[]): Effect | null {
  const text = args.join(" ");
  const found = SIDE_EFFECTS.get(name)?.find((row) => {
    const has = (isIt: (word: string) => boolean): boolean =>
      args.some((word, at) => isIt(word) && !(row.effect === WRITES && writesNoFile(args, at)));
    if (has((word) => isNamed(word, words(row.long ?? "")))) return true;
    const isSpelled = row.words === undefined ? row.line !== undefined : has((word) => row.words?.test(word) === true);
    return isSpelled && (row.line?.test(text) ?? true);
  });
  return found?.effect ?? null;
}
