// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Texts of up to 16 KiB that are made to cost: one construct of bash, or one program, nested in itself or repeated beside state
// that grows.

const repeated = (n: number, text: string | ((at: number) => string)): string =>
  Array.from({ length: n }, (_, at) => (typeof text === "string" ? text : text(at))).join("");

/** [opening, closing] around a command. */
const NESTED: readonly (readonly [string, string])[] = [
  ["$(", ")"],
  ["(", ")"],
  ["{ ", "; }"],
  ["`", "`"],
  ['"$(', ')"'],
  ["${a:-", "}"],
  ["${a/", "/b}"],
  ["$((1+", "))"],
  ["a[$(", ")]"],
  ["if a; then ", "; fi"],
  ["for i in 1 2 3; do ", "; done"],
  ["while a; do ", "; done"],
  ["case $x in a) b;; *) ", ";; esac"],
  ["f(){ ", "; }; f"],
  ["! ", ""],
  ["<(", ")"],
  ["{a,", "}"],
  ["{a,b}{", "}"],
  ["@(", "|b)"],
  ["eval ", ""],
  ["eval '", "'"],
  ["bash -c '", "'"],
  ["sudo ", ""],
  ["env A=b ", ""],
  ["xargs ", ""],
  ["timeout 1 ", ""],
  ["ssh a ", ""],
  ["docker exec a ", ""],
  ["find . -exec ", " \\;"],
  ["nohup nice ", ""],
  ["[[ a && ", " ]]"],
  ["cat <<A\n", "\nA\n"],
  ["coproc ", ""],
  ["time ", ""],
  ["unknown -c ", ""],
];

/** What is repeated, after what has grown. */
const GROWING: readonly (readonly [grown: (at: number) => string, used: string])[] = [
  [(at) => `a${at}=$a${at - 1}$a${at - 1}; `, "rm -rf $a400; "],
  [(at) => `cd a${at} || cd b${at}; `, "rm -rf x/*; "],
  [(at) => `[ x ] && v=a${at} || v=b${at}; `, "rm -rf $v/*; "],
  [(at) => `echo a > f${at}; `, "cat f*; "],
  [(at) => `echo rm${at} >> s; `, "sh s; "],
  [(at) => `export A${at}=b; `, "bash -c 'echo $A1'; "],
  [(at) => `alias a${at}='a${at + 1} a${at + 1}'; `, "a0; "],
  [(at) => `f${at}(){ f${at + 1}; f${at + 1}; }; `, "f0; "],
  [(at) => `a+=(x${at}); `, 'rm "${a[@]}"; '],
  [(at) => `ln -s /a${at} b${at}; `, "rm -rf b1/x; "],
  [(at) => `trap 'rm x${at}' EXIT; `, "exit; "],
  [(at) => `set -- $* a${at}; `, "rm $*; "],
  [(at) => `git config alias.a${at} b; `, "git a1; "],
  [(at) => `declare -n r${at}=r${at + 1}; `, "rm $r0; "],
  [(at) => `x=$x$x${at}; `, "eval $x; "],
  [(at) => `mount --bind /a${at} m; `, "rm -rf m/x; "],
  [(at) => `read a${at} b${at} <<< 'x y'; `, "rm $a1; "],
  [(at) => `printf -v a${at} x; `, "rm $a1; "],
  [(at) => `cp /bin/rm r${at}; `, "./r1 x; "],
  [(at) => `IFS=${String.fromCharCode(97 + (at % 26))}; `, "rm $x; "],
];

/** Many words for one program. */
const WORDS: readonly (readonly [string, string | ((at: number) => string)])[] = [
  ["docker run ", (at) => `-v /a${at}:/ `],
  ["rm -rf ", "[a-z]*? "],
  ["rm -rf ", (at) => `$a${at} `],
  ["tee ", (at) => `f${at} `],
  ["env ", (at) => `A${at}=b `],
  ["git ", "-c a=b "],
  ["find / ", "! "],
  ["find / ", "-name x -o "],
  ["find / ", "\\( -name x "],
  ["find ", (at) => `/a${at} `],
  ["find / ", "-exec rm {} + "],
  ["sed ", "-e s/a/b/ "],
  ["sed s/", "a"],
  ["awk 'BEGIN{", 'x=x "a";'],
  ["awk '", "("],
  ["python3 -c '", 'a=a+"b";'],
  ["python3 -c '", "("],
  ["node -e '", "a=`${b}`;"],
  ["perl -e '", "system(q(a));"],
  ["jq '", ".a|"],
  ["jq '", "("],
  ["grep -E '", "(a*)*"],
  ["printf ", "%s "],
  ["printf '", "%s"],
  ["echo -e '", "\\x41"],
  ["echo {1..64}", "{1..64}"],
  ["echo ", "~/a "],
  ["ssh a ", "-o ProxyCommand=b "],
  ["tar cf x ", (at) => `a${at} `],
  ["rsync ", "--exclude a "],
  ["xargs ", "-I{} "],
  ["parallel ", "::: a b "],
  ["docker ", "--context a "],
  ["kubectl ", "-n a "],
  ["cat ", "<<<a "],
  ["cat ", ">a "],
  ["cat | ", "cat | "],
  ["a && ", "b && "],
  ["a || ", "b || "],
  ["[[ a =~ ", "(a*)*"],
  ["declare -A a; ", (at) => `a[k${at}]=b; `],
  ["echo ${a", "//a/b}${a"],
  ["echo ${!a", "}${!a"],
  ["let ", "a=1 "],
  ["curl ", "-o a "],
  ["chmod ", "777 "],
];

const MAX = 16_384;
const within = (text: string): string => text.slice(0, MAX);

function nested([open, close]: readonly [string, string], depth: number): string {
  const fits = Math.min(depth, Math.floor((MAX - 10) / (open.length + close.length)));
  return `${open.repeat(fits)}rm x${close.repeat(fits)}`;
}

/** About 230 texts, each with its name. */
export const HOSTILE_SHAPES: readonly (readonly [name: string, text: string])[] = [
  ...NESTED.flatMap((pair) =>
    [12, 300, MAX].map((depth) => [`${pair[0]} ${depth} deep`, nested(pair, depth)] as const),
  ),
  ...GROWING.flatMap(([grown, used]) =>
    [60, 250].map((n) => [`${grown(1)} ${n} times`, within(repeated(n, grown) + repeated(MAX, used))] as const),
  ),
  ...WORDS.flatMap(([start, word]) =>
    [200, MAX].map(
      (n) => [`${start}${typeof word === "string" ? word : word(0)} ${n}`, within(start + repeated(n, word))] as const,
    ),
  ),
];

const COSTLY = /^(echo a > f1;|echo rm1 >> s;|cd a1 \|\| cd b1;|a\+=\(x1\);)/;

/** Sixty that spend the time of a plan on any machine. */
export const SIXTY_COSTLY: readonly string[] = Array.from({ length: 8 }, () =>
  HOSTILE_SHAPES.filter(([name]) => COSTLY.test(name)),
)
  .flat()
  .map(([, text]) => text)
  .slice(0, 60);
