// The operations that every obfuscation starts from, as words. A raw word is shell text, such as `~` or `/*`.
import type { Choices } from "./random.ts";

export type Piece = { readonly literal: boolean; readonly text: string };
export type Word = readonly Piece[];

const literal = (text: string): Word => [{ literal: true, text }];
const raw = (text: string): Word => [{ literal: false, text }];

/** `«…»` marks a raw word. */
const operation = (line: string): readonly Word[] =>
  line.split(" ").map((word) => (word.startsWith("«") ? raw(word.slice(1, -1)) : literal(word)));

export const OPERATIONS: Choices<readonly Word[]> = [
  operation("rm -rf /"),
  operation("rm -rf /"),
  ...[
    "rm -fr /etc",
    "rm -r -f /usr/bin",
    "rm --recursive --force /home/op",
    "rm -R /boot",
    "rm -rf -- /usr",
    "rm -rf --no-preserve-root /",
    "rm -rf «/*»",
    "rm -rf «~»",
    "rm -rf «~/»",
    "rm -rf «$HOME»",
    'rm -rf «"$HOME/"»',
    "rm -rf «/etc/*»",
    "rm -rf «~/*»",
    "rm -rf «/u?r»",
    "rm -rf «/e[t]c»",
    "rm -rf ../../etc",
    "rm -rf /srv/app/../../usr/lib",
    "rm -rf //var//lib/",
    "rm -rf «/{usr,etc}»",
    "rm / -rf",
    "rm --recu --f /var",
    "/bin/rm -rf /",
    "/usr/bin/rm -r /root",
    "../../bin/rm -rf /",
    "git reset --hard",
    "git reset --hard HEAD~1",
    "git -C /srv/app reset -q --hard",
    "git -c core.x=1 --no-pager reset HEAD --har",
    "git --git-dir=.git --work-tree . reset --hard",
    "git reset --h",
    "/usr/lib/git-core/git-reset --hard",
    "docker system prune -a",
    "docker system prune -af",
    "docker system prune --all --force",
    "docker --context x system prune -fa --volumes",
    "docker -H tcp://x system prune -a=true",
    "podman system prune -a -f",
    "dd if=/dev/zero of=/dev/sda bs=1M",
    "mkfs.ext4 /dev/sda1",
    "wipefs -a /dev/sdb",
    "shred /dev/sda",
    "mkswap /dev/sdb2",
    "chmod -R 777 /",
    "chown -R op:op /",
    "mv /etc /tmp/x",
    "cp /dev/zero /dev/sda",
    "tee /dev/sda",
    "find / -delete",
    "find /etc -mindepth 1 -delete",
    "find /etc -maxdepth 0 -exec rm -rf {} ;",
    "find /usr -maxdepth 0 -exec rm -r {} +",
    "rsync -a --delete /tmp/empty/ /",
  ].map(operation),
];
