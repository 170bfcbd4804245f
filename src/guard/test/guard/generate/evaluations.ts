// Places where bash runs text that is no command in the tree: arithmetic, prompts, traps, startup files, git's aliases.
import type { Wrap, Wraps } from "./consumers.ts";
import { produced } from "./producers.ts";
import { quoted, single } from "./quote.ts";
import { freshName } from "./random.ts";

const arithmetic: Wrap = (text, random) => {
  const v = freshName(random);
  const index = single(`a[$(\n${text}\n)]`);
  const hidden = `${v}=${index}`;
  return random.pick([
    `test -v ${index}`,
    `[ -v ${index} ]`,
    `[[ -v ${index} ]]`,
    `${hidden}; [[ $${v} -eq 0 ]]`,
    `${hidden}; [[ ${v} -gt 0 ]]`,
    `${hidden}; [[ 1 -lt ${v} ]]`,
    `${hidden}; echo $((${v}))`,
    `${hidden}; echo $(( ${v} + 1 ))`,
    `${hidden}; (( ${v} ))`,
    `${hidden}; (( x = ${v} ))`,
    `${hidden}; let ${v}`,
    `${hidden}; let x=${v}`,
    `let ${index}=1`,
    `${hidden}; declare -i x=${v}`,
    `${hidden}; declare -i x; x=${v}`,
    `${hidden}; y=abc; echo \${y:${v}}`,
    `${hidden}; y=abc; echo \${y:0:${v}}`,
    `${hidden}; y=(1 2); echo \${y[${v}]}`,
    `${hidden}; y[${v}]=1`,
    `${hidden}; echo \${!${v}}`,
    `${hidden}; for ((i=${v};i<1;i++)); do :; done`,
    `${hidden}; while (( ${v} )); do break; done`,
    `${hidden}; set -- 1 2; shift "$((${v}))"`,
    `${hidden}; w=${v}; echo $((w))`,
    `printf -v ${index} %s x`,
    `read ${index} <<< x`,
    `unset ${index}`,
    `declare ${index}=1`,
    `export ${hidden}; bash -c 'echo $((${v}))'`,
    `${v}() { (( $1 )); }; ${v} ${index}`,
    `${v}() { local -i n=$1; }; ${v} ${index}`,
    `${v}() { [[ $1 -ge 3 ]]; }; ${v} ${index}`,
    `read -r ${v} <<< ${single(`a[$(${text})]`)}; echo $((${v}))`,
    `echo $((a[$(\n${text}\n)]))`,
    `: $(( \`${text.replace(/[\\`]/g, "\\$&")}\` ))`,
    `(( $(\n${text}\n) ))`,
    `a[$(\n${text}\n)]=1`,
    `echo \${a[$(\n${text}\n)]}`,
    `[[ $(\n${text}\n) -eq 0 ]]`,
    `[[ x == $(\n${text}\n) ]]`,
    `for ((i=$(\n${text}\n);;)); do break; done`,
    `echo \${PWD:$(\n${text}\n)}`,
    `declare -A m; m[$(\n${text}\n)]=1`,
    `mapfile -O "$(${text})" a < /dev/null`,
    `test -t ${index}; [[ -R ${index} ]]; [[ -v ${index} ]]`,
    `wait -n -p ${index}`,
    `getopts a ${index}`,
  ]);
};

const prompts: Wrap = (text, random) => {
  const v = freshName(random);
  const substitution = single(`$(\n${text}\n)`);
  return random.pick([
    `PS4=${substitution}; set -x; :`,
    `PS4=${substitution} bash -xc :`,
    `export PS4=${substitution}; bash -x -c :`,
    `PS4=${substitution}; set -o xtrace; true`,
    `PS4=${substitution}; f() { set -x; ls; }; f`,
    `env PS4=${substitution} SHELLOPTS=xtrace bash -c :`,
    `env ${v}=${substitution} bash -c 'echo "\${${v}@P}"'`,
    `${v}=${substitution}; echo "\${${v}@P}"`,
    `${v}=(${substitution}); : \${${v}[0]@P}`,
    `set -- ${substitution}; : "\${1@P}"`,
    `set -- ${substitution}; : "\${@@P}"`,
    `PROMPT_COMMAND=${single(text)} bash -i <<< ''`,
    `export PROMPT_COMMAND=${single(text)}; bash -i <<< :`,
    `PS1=${substitution} bash --norc -i <<< ''`,
    `bash --rcfile <(echo ${single(text)}) -i -c :`,
    `bash --init-file <(printf '%s\\n' ${single(text)}) -i <<< :`,
  ]);
};

const callbacks: Wrap = (text, random) => {
  const word = quoted(text, random);
  const v = freshName(random);
  return random.pick([
    `trap ${word} EXIT`,
    `trap ${word} 0`,
    `trap -- ${word} EXIT; ls`,
    `trap ${word} DEBUG; :`,
    `trap ${word} ERR; false`,
    `trap ${word} RETURN; f() { :; }; set -T; trap ${word} RETURN; f`,
    `trap ${word} USR1; kill -USR1 $$`,
    `trap ${word} INT TERM; kill -TERM $$`,
    `(trap ${word} EXIT)`,
    `bash -c ${single(`trap ${single(text)} EXIT`)}`,
    `${v}=${word}; trap "$${v}" EXIT`,
    `${v}() {\n${text}\n}; trap ${v} EXIT`,
    `${v}() {\n${text}\n}; trap ${v} ERR; set -e; false`,
    `mapfile -C ${single(`eval ${single(text)};:`)} -c 1 a <<< x`,
    `mapfile -c 1 -C ${v} a <<< x`.replace(/^/, `${v}() {\n${text}\n}; `),
    `readarray -t -C ${single(`${text.replaceAll("\n", ";")};:`)} -c1 a < /tmp/lines.txt`,
    `compgen -C ${single(`eval ${single(text)};:`)} x`,
    `${v}() {\n${text}\n}; compgen -F ${v} x`,
    `compgen -W ${single(`$(\n${text}\n)`)}`,
    `command_not_found_handle() {\n${text}\n}; no-such-program`,
    `${v}() {\n${text}\n}; export -f ${v}; bash -c ${v}`,
    `${v}() {\n${text}\n}; export -f ${v}; echo ${v} | bash`,
    `${v}() {\n${text}\n}; bash -c "$(declare -f ${v}); ${v}"`,
    `${v}() {\n${text}\n}; eval "$(declare -f ${v} | sed 's/${v}/zz/')"; zz`,
    `${v}() {\n${text}\n}; ssh host "$(typeset -f ${v}); ${v}"`,
    `env ${single(`BASH_FUNC_${v}%%=() {\n${text}\n}`)} bash -c ${v}`,
    `env ${single(`BASH_FUNC_ls%%=() {\n${text}\n}`)} bash -c 'ls -l'`,
    `ls() {\n${text}\n}; ls -la`,
    `cd() {\n${text}\n}; cd /tmp`,
    `echo() {\n${text}\n}; x=$(echo hi)`,
    `sudo() {\n${text}\n}; sudo ls`,
    `shopt -s expand_aliases\nalias ls=${word}\nls`,
    `shopt -s expand_aliases\nalias ls=${single(`eval ${single(text)} #`)}\nls`,
    `shopt -s expand_aliases\nalias g='eval '\ng ${word}`,
    `printf '#!/bin/bash\\n%s\\n' ${word} > ls; chmod +x ls; ./ls`,
    `mkdir -p bin; printf '#!/bin/bash\\n%s\\n' ${word} > bin/ls; chmod +x bin/ls; PATH=$PWD/bin:$PATH; ls`,
    `printf '%s\\n' ${word} > ls; chmod 755 ls; PATH=.:$PATH ls`,
    `coproc bash; echo ${word} >&"\${COPROC[1]}"`,
    `exec 4> >(bash); echo ${word} >&4`,
    `exec > >(bash); echo ${word}`,
    `complete -C ${word} x; compgen -C ${single(`eval ${single(text)};:`)} y`,
    `enable -n echo; enable echo; eval ${word}`,
    `history -s ${word}; set -o history; eval ${word}`,
    `bind -x ${single(`"a": ${text}`)} 2>/dev/null; eval ${word}`,
  ]);
};

/** The file forgets itself first: what it starts would run it again. */
const startup: Wrap = (text, random) => {
  const producer = produced(`unset BASH_ENV; ${text}`, random).text;
  return random.pick([
    `BASH_ENV=<(${producer}) bash -c :`,
    `BASH_ENV=/dev/stdin bash -c : < <(${producer})`,
    `{ ${producer}\n} > x.sh; BASH_ENV=x.sh bash -c true`,
    `{ ${producer}\n} > x.sh; export BASH_ENV=./x.sh; bash -c :`,
    `{ ${producer}\n} > x.sh; env BASH_ENV=x.sh bash -c :`,
    `{ ${producer}\n} > x.sh; declare -x BASH_ENV=$PWD/x.sh; printf '#!/bin/bash\\n:' > y; chmod +x y; ./y`,
  ]);
};

const git: Wrap = (text, random) => {
  const bang = single(`!${text}`);
  return random.pick([
    `git -c alias.x=${bang} x`,
    `git -c alias.x=${single(`!f() {\n${text}\n}; f`)} x`,
    `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=${bang} git x`,
    `export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=${bang}; git x`,
    `X=${bang} git --config-env=alias.x=X x`,
    `X=${bang} git --config-env alias.x=X x`,
    `git config --global alias.zz ${bang}; git zz`,
    `printf '[alias]\\n\\tx = "!%s"\\n' ${single(text.replaceAll('"', '\\"'))} > /tmp/c; GIT_CONFIG_GLOBAL=/tmp/c git x`,
    `env GIT_CONFIG_PARAMETERS=${single(`'alias.x=!${text}'`)} git x`,
  ]);
};

const parserDefects: Wrap = (text, random) => {
  const lines = /[\n#]/.test(text);
  return random.pick([
    `echo 1<(${lines ? `\n${text}\n` : text})`,
    `cat 3>(${lines ? `\n${text}\n` : text})`,
    `case 1<(${lines ? `\n${text}\n` : text}) in *) ;; esac`,
    `for x in 2<(${lines ? `\n${text}\n` : text}); do :; done`,
    `echo a<(${lines ? `\n${text}\n` : text})`,
    `echo "a"<(${lines ? `\n${text}\n` : text})b`,
    `echo x1<(${lines ? `\n${text}\n` : text})`,
    `echo =<(${lines ? `\n${text}\n` : text})`,
    `x=1<(${lines ? `\n${text}\n` : text})`,
    `echo 12>(${lines ? `\n${text}\n` : text})`,
    `echo {1,2}<(${lines ? `\n${text}\n` : text})`,
  ]);
};

export const EVALUATIONS: Wraps = [
  ["arithmetic", arithmetic],
  ["arithmetic", arithmetic],
  ["prompts", prompts],
  ["callbacks", callbacks],
  ["callbacks", callbacks],
  ["startup file", startup],
  ["git aliases", git],
  ["parser defects", parserDefects],
];
