// The words that random programs are made of: parts of operands and options, and the beginnings of commands.
import type { Choices } from "./random.ts";

const split = (text: string, separator: RegExp): Choices<string> => {
  const [first = "", ...rest] = text.trim().split(separator);
  return [first, ...rest];
};

export const NAMES: Choices<string> = ["a", "b", "c", "d"];
/** No part of a word reads like one of these. */
export const FUNCTIONS = ["fn1", "fn2", "fn3"];

export const FRAGMENTS = split(
  `r m rm -r -rf f - / / /et c etc /usr lib .. . * ? src dist x.log tmp /tmp/x git reset --hard --soft -- HEAD
    docker system prune -a -f --all /dev/ sda dd of= op /home/ ~ home echo ls eval bash 0 1 app /srv/app /srv`,
  /\s+/,
);

export const COMMANDS = split(
  `rm | rm -rf | rm -r | rm -f | git | git reset | git reset --hard | git status | docker | docker system prune |
    docker ps | dd | mkfs.ext4 | chmod -R 755 | mv | find | echo | printf %s | ls | cat | true | cd | pushd |
    mkdir -p | touch | test -n | : | eval | bash -c | set -- | shift | export | unset | read -r | local | return |
    command | source | tee | sort | head -n 1 | basename | dirname | sudo | env | xargs rm -rf | nice | timeout 3`,
  /\s*\|\s*/,
);
