// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Programs and builtins that run the command that follows them. They take simple commands; `{}` is its place.
import type { Draft, Rewrite } from "./commands.ts";
import type { Choices, Random } from "./random.ts";

const PREFIXES: Choices<string> = [
  "sudo",
  "sudo -n",
  "sudo -E -u root",
  "sudo --user=root",
  "sudo -u root --",
  "sudo -i",
  "sudo -H A=1",
  "sudo -p x -k",
  "doas",
  "doas -n -u root",
  "env",
  "env A=1 B=2",
  "env -i PATH=/bin",
  "env -u X",
  "env --",
  "env -C /tmp",
  "/usr/bin/env",
  "env -i /bin/env",
  "nohup",
  "nice",
  "nice -n 5",
  "nice -5",
  "nice --adjustment=3",
  "ionice -c 3",
  "timeout 5",
  "timeout -k 1 5s",
  "timeout -s KILL 3",
  "timeout --signal=TERM 3",
  "timeout --foreground 3",
  "setsid",
  "setsid -w",
  "stdbuf -oL",
  "stdbuf -o 0 -e 0",
  "flock /tmp/lines.txt",
  "chroot /",
  "strace -f",
  "strace -o /tmp/o",
  "busybox",
  "command",
  "command -p",
  "command --",
  "exec",
  "exec -a x",
  "exec -c",
  "builtin command",
  "time",
  "time -p",
  "!",
  "! !",
  "A=1 B=2",
  "A=1 env",
  "2>/dev/null",
  ">/dev/null 2>&1",
  "<<< x",
  "\\command",
  "'env'",
  "time nohup",
  "eval",
  "builtin eval",
  "command eval",
  "xargs -a /dev/null",
  "xargs",
  "</dev/null xargs",
  "<<< '' xargs",
  "coproc",
  "coproc NAME { :; }; ",
  "docker exec c",
  "docker run --rm img",
  "docker run -it --name x img",
  "ssh host",
  "ssh -p 22 op@host",
  "ssh -o A=b host --",
  "trap - INT; ",
  "find /tmp/lines.txt -exec",
  "runuser -u root --",
];

const prefixed: Rewrite = ({ before, words }, random) => {
  const prefix = random.pick(PREFIXES);
  const tail = prefix.startsWith("find") ? [[{ literal: false, text: random.pick(["\\;", "';'", "+"]) }]] : [];
  return { before, words: [[{ literal: false, text: prefix }], ...words, ...tail] };
};

/** The last word comes from standard input. */
const fromInput: Rewrite = (draft: Draft, random: Random) => {
  const last = draft.words.at(-1);
  if (last === undefined || draft.words.length < 2 || last.some(({ literal }) => !literal)) return null;
  const text = last.map((piece) => piece.text).join("");
  const options = random.pick([
    "",
    "-n 1",
    "-r",
    "-d '\\n'",
    "-0",
    "-t",
    "-P 2",
    "-I %",
    "-I{}",
    "--no-run-if-empty",
    "-L1",
    "--max-args=1",
  ]);
  const place = options === "-I %" ? "%" : options === "-I{}" ? "{}" : "";
  const feed =
    options === "-0"
      ? `printf '${text}\\0'`
      : random.pick([`echo ${text}`, `printf '%s\\n' ${text}`, `cat <<< ${text}`]);
  const words = draft.words.slice(0, -1);
  const head = [{ literal: false, text: `${feed} | xargs ${options}` }];
  return {
    before: draft.before,
    words: [head, ...words, ...(place === "" ? [] : [[{ literal: false, text: place }]])],
  };
};

/** find reaches the operand. */
const byFind: Rewrite = ({ before, words }, random) => {
  const last = words.at(-1);
  if (last === undefined || last.some(({ literal }) => !literal) || words.length < 3) return null;
  const path = last.map((piece) => piece.text).join("");
  const head = `find ${path} -maxdepth 0 ${random.pick(["", "-type d", "-name '*'", "-true", "! -name zz", "-path '*'"])} ${random.pick(["-exec", "-execdir", "-print0 | xargs -0", "-print | xargs"])}`;
  const tail = head.includes("xargs") ? [] : [[{ literal: false, text: random.pick(["{} \\;", "{} +", "'{}' ';'"]) }]];
  return { before, words: [[{ literal: false, text: head }], ...words.slice(0, -1), ...tail] };
};

const allOfStdin: Rewrite = ({ before, words }, random) => {
  if (words.some((word) => word.some((piece) => !piece.literal || /[\s'"\\;{}]/.test(piece.text)))) return null;
  const line = words.map((word) => word.map((piece) => piece.text).join("")).join(" ");
  return {
    before,
    words: [
      [
        {
          literal: false,
          text: random.pick([
            `xargs env <<< '${line}'`,
            `echo ${line} | xargs nice`,
            `xargs -n 9 command <<< '${line}'`,
            `env -S '${line}'`,
            `env -S'${line}'`,
            `env --split-string='${line}'`,
            `env -vS '${line}'`,
            `echo '${line}' | xargs -I% sh -c %`,
            `xargs -I{} bash -c '{}' <<< '${line}'`,
            `echo '${line}' | xargs -d '\\n' -n1 bash -c`,
          ]),
        },
      ],
    ],
  };
};

export const LAUNCHERS: Choices<readonly [string, Rewrite]> = [
  ["launcher", prefixed],
  ["launcher", prefixed],
  ["launcher", prefixed],
  ["xargs with the operand", fromInput],
  ["find with the operand", byFind],
  ["words from a text", allOfStdin],
];
