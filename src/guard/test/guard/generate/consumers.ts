// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Ways to hand a text to a shell that runs it.
import { produced } from "./producers.ts";
import { quoted, single } from "./quote.ts";
import { type Choices, freshName, type Random } from "./random.ts";

/** From a program to a program that does the same. Null: not with this text. */
export type Wrap = (text: string, random: Random) => string | null;

export type Wraps = Choices<readonly [string, Wrap]>;

const SHELLS: Choices<string> = [
  "bash",
  "bash",
  "bash",
  "/bin/bash",
  "sh",
  "bash --norc",
  "bash --noprofile --norc",
  "bash +e",
  "bash -e",
  "bash -u",
  "bash -x",
  "bash -O extglob",
  "bash -o pipefail",
  "$SHELL",
  "$BASH",
  '"$BASH"',
  "sudo bash",
  "env bash",
  "command bash",
  "nice bash",
  "timeout 5 bash",
  "nohup bash",
  "setsid bash",
  "env -i bash",
  "exec bash",
  "sudo -u root sh",
  "busybox sh",
  "bash --posix",
];

/** The text as the word of a command. */
const asWord: Wrap = (text, random) => {
  const word = random.chance(0.3) ? `"$(${produced(text, random).text})"` : quoted(text, random);
  const shell = random.pick(SHELLS);
  const v = freshName(random);
  return random.pick([
    `eval ${word}`,
    `eval -- ${word}`,
    `eval "" ${word}`,
    `command eval ${word}`,
    `builtin eval ${word}`,
    `eval eval ${single(word)}`,
    `${shell} -c ${word}`,
    `${shell} -c ${word}`,
    `${shell} -c 'eval "$1"' x ${word}`,
    `${shell} -c 'eval "$0"' ${word}`,
    `${shell} -c 'eval "$@"' x ${word}`,
    `bash -lc ${word}`,
    `bash -ec ${word}`,
    `bash -c -- ${word}`,
    `bash -co pipefail ${word}`,
    `bash --rcfile /dev/null -c ${word}`,
    `su -c ${word}`,
    `su - root -c ${word}`,
    `su root --command=${word}`,
    `runuser -u x -- bash -c ${word}`,
    `runuser -l x -c ${word}`,
    `ssh host ${word}`,
    `ssh -t -p 22 op@host -- ${word}`,
    `flock /tmp/lines.txt -c ${word}`,
    `docker exec -it c sh -c ${word}`,
    `docker run -v /:/host --rm img bash -c ${word}`,
    `env -S "bash -c" ${word}`,
    `xargs -0 bash -c <<< ${word}`,
    `xargs -a <(printf %s ${word}) -d '\\n' -n1 bash -c`,
    `printf '%s\\0' ${word} | xargs -0 -n 1 bash -c`,
    `printf %s ${word} | xargs -0 -I% bash -c %`,
    `echo x | xargs -I% bash -c ${word}`,
    `find /tmp/lines.txt -exec bash -c ${word} \\;`,
    `find /srv -maxdepth 0 -exec sh -c ${word} {} +`,
    `${v}=${word}; eval "$${v}"`,
    `${v}=${word}; eval "\${${v}}"`,
    `${v}=${word}; bash -c "$${v}"`,
    `export ${v}=${word}; bash -c 'eval "$${v}"'`,
    `${v}=${word} bash -c 'eval "$${v}"'`,
    `env ${v}=${word} bash -c 'eval "$${v}"'`,
    `${v}=(${word}); eval "\${${v}[0]}"`,
    `declare -A ${v}=([a]=${word}); eval "\${${v}[a]}"`,
    `set -- ${word}; eval "$1"`,
    `f() { eval "$1"; }; f ${word}`,
    `f() { bash -c "$*"; }; f ${word}`,
    `printf -v ${v} %s ${word}; eval "$${v}"`,
    `IFS= read -r -d '' ${v} < <(printf '%s\\0' ${word}); eval "$${v}"`,
    `mapfile -d '' ${v} < <(printf %s ${word}); eval "\${${v}[0]}"`,
    `mapfile ${v} <<< ${word}; eval "\${${v}[*]}"`,
    `readarray -t ${v} <<< ${word}; IFS=$'\\n'; eval "\${${v}[*]}"`,
    `for ${v} in ${word}; do eval "$${v}"; done`,
    `case ${word} in *) ${v}=${word}; eval "$${v}";; esac`,
    `: ${word}; eval "$_"`,
    `[[ ${word} =~ .* ]]; eval "\${BASH_REMATCH[0]}"`,
    `echo ${word} > x.sh; ${random.pick(["bash x.sh", ". ./x.sh", "source x.sh", "bash < x.sh", "chmod +x x.sh; ./x.sh", "cat x.sh | bash", 'eval "$(cat x.sh)"', 'eval "$(<x.sh)"', "mapfile -t a < x.sh; IFS=$'\\n'; eval \"${a[*]}\"", 'bash -c "$(< x.sh)"', "cp x.sh y.sh; bash y.sh", "(cd /tmp; bash /srv/app/x.sh)", "timeout 5 bash ./x.sh", "exec ./nothing || true", "xargs -a x.sh -d '\\n' -n1 bash -c", "sed -n p x.sh | sh", 'while IFS= read -r l; do eval "$l"; done < x.sh'])}`,
    `tee y.sh <<< ${word} >/dev/null; bash y.sh`,
    `tee >(bash) <<< ${word}`,
    `awk ${single(`BEGIN{system(ENVIRON["${v}"])}`)}`.replace(/^/, `${v}=${word} `),
    `${v}=${word} perl -e 'system($ENV{${v}})'`,
    `perl -e 'system($ARGV[0])' ${word}`,
    `perl -e 'exec @ARGV' bash -c ${word}`,
    `awk 'BEGIN{print ARGV[1]}' ${word} | bash`,
    `awk '{system($0)}' <<< ${word}`,
    `awk '{print | "bash"}' <<< ${word}`,
    `sed e <<< ${word}`,
    `sed 's/^//e' <<< ${word}`,
  ]);
};

/** The text on standard input, or in a file that is none. */
const asInput: Wrap = (text, random) => {
  const producer = produced(text, random).text;
  const substitution = producer.endsWith("\n") ? `\n${producer}` : producer;
  const shell = random.pick(SHELLS);
  return random.pick([
    `{ ${substitution}\n} | ${shell}`,
    `(${substitution}) | ${shell}`,
    `${shell} <<< "$(${substitution})"`,
    `source <(${substitution})`,
    `. <(${substitution})`,
    `bash <(${substitution})`,
    `${shell} < <(${substitution})`,
    `. /dev/stdin < <(${substitution})`,
    `source /dev/stdin <<< "$(${substitution})"`,
    `{ ${substitution}\n} | source /dev/stdin`,
    `{ ${substitution}\n} | bash /dev/stdin`,
    `{ ${substitution}\n} | . /dev/fd/0`,
    `{ ${substitution}\n} | bash -s x y`,
    `{ ${substitution}\n} | bash -s -- x`,
    `{ ${substitution}\n} | bash -`,
    `{ ${substitution}\n} | cat | sh`,
    `{ ${substitution}\n} | tee /tmp/o | sh`,
    `{ ${substitution}\n} > >(bash)`,
    `{ ${substitution}\n} |& bash`,
    `exec 3< <(${substitution}); . /dev/fd/3`,
    `exec 3< <(${substitution}); bash <&3`,
    `exec < <(${substitution}); bash`,
    `bash 0< <(${substitution})`,
    `{ ${substitution}\n} | while IFS= read -r l; do eval "$l"; done`,
    `{ ${substitution}\n} | while read -r l; do bash -c "$l"; done`,
    `while IFS= read -r l; do eval "$l"; done < <(${substitution})`,
    `{ ${substitution}\n} | { read -r l; eval "$l"; }`,
    `{ ${substitution}\n} | (l=$(cat); eval "$l")`,
    `{ ${substitution}\n} | eval "$(cat)"`,
    `eval "$(${substitution})"`,
    `eval "\`cat <(${substitution})\`"`.includes("\\") ? null : `bash -c "$(${substitution})"`,
    `bash -c "$(${substitution})"`,
    `$SHELL -c "$(${substitution})"`,
    `coproc { ${substitution}\n}; bash <&"\${COPROC[0]}"`,
    `xargs -d '\\n' -n1 bash -c < <(${substitution})`,
    `mapfile -t a < <(${substitution}); for l in "\${a[@]}"; do eval "$l"; done`,
    `{ ${substitution}\n} > /tmp/o; bash /tmp/o`,
    `cat <(${substitution}) | bash`,
    `cat < <(${substitution}) | bash`,
    `{ ${substitution}\n} | ssh host bash`,
    `{ ${substitution}\n} | ssh host`,
    `{ ${substitution}\n} | docker exec -i c bash`,
    `{ ${substitution}\n} | sudo -n sh`,
    `{ ${substitution}\n} | su`,
    `{ ${substitution}\n} | xargs -0 -n1 bash -c`,
    `{ ${substitution}\n} | (bash)`,
    `{ ${substitution}\n} | { bash; }`,
    `{ ${substitution}\n} | if :; then bash; fi`,
    `{ ${substitution}\n} | f() { :; } | bash`,
    `f() { bash; }; { ${substitution}\n} | f`,
    `{ ${substitution}\n} | (cat) | (bash -x)`,
    `{ ${substitution}\n} | sed -u s/x/x/ | bash`,
    `{ ${substitution}\n} | grep '' | bash`,
    `{ ${substitution}\n} | awk '{print}' | bash`,
  ]);
};

const asHereDocument: Wrap = (text, random) => {
  if (/^E\d$/m.test(text)) return null;
  const [open, content] = random.chance(0.6) ? ["'E1'", text] : ["E1", text.replace(/[\\$`]/g, "\\$&")];
  const shell = random.pick(SHELLS);
  const v = freshName(random);
  const document = `\n${content}\nE1\n`;
  return random.pick([
    `${shell} <<${open}${document}`,
    `cat <<${open} | ${shell}${document}`,
    `. /dev/stdin <<${open}${document}`,
    `${v}=$(cat <<${open}${document})\neval "$${v}"`,
    `bash -c "$(cat <<${open}${document})"`,
    `bash /dev/fd/3 3<<${open}${document}`,
    `. /dev/fd/3 3<<${open}${document}`,
    `exec 5<<${open}${document}bash <&5`,
    `cat > z.sh <<${open}${document}bash z.sh`,
    `cat <<${open} > z.sh && . ./z.sh${document}`,
    `tee z.sh >/dev/null <<${open}${document}source z.sh`,
    `while IFS= read -r l; do eval "$l"; done <<${open}${document}`,
    `IFS= read -r -d '' ${v} <<${open}${document}eval "$${v}"`,
    `mapfile ${v} <<${open}${document}IFS=; eval "\${${v}[*]}"`,
    `sudo bash <<${open}${document}`,
    `ssh host bash -s <<${open}${document}`,
    `{ bash; } <<${open}${document}`,
    `f() { bash; }\nf <<${open}${document}`,
    `if bash; then :; fi <<${open}${document}`,
    `${v}=bash\n$${v} <<${open}${document}`,
    `cat <<x <<${open} | bash\nx${document}`,
  ]);
};

/** The document itself has an expansion that runs the text, or brings a part of it. */
const inDocument: Wrap = (text, random) => {
  const v = freshName(random);
  return random.pick([
    `cat <<E2\n$(\n${text}\n)\nE2\n`,
    `${v}=${single(text)}; bash <<E2\n$${v}\nE2\n`,
    `${v}=${single(text)}; cat <<E2 | bash\n\${${v}}\nE2\n`,
    `: <<E2\n\${x:-$(\n${text}\n)}\nE2\n`,
    `bash <<E2\n\${x:-$(${produced(text, random).text}\n)}\nE2\n`,
    `: <<< "$(\n${text}\n)"`,
  ]);
};

export const CONSUMERS: Wraps = [
  ["text to a shell", asWord],
  ["text to a shell", asWord],
  ["text to a shell", asWord],
  ["input of a shell", asInput],
  ["input of a shell", asInput],
  ["here-document of a shell", asHereDocument],
  ["expanding here-document", inDocument],
];
