import { describe, expect, test } from "vitest";
import { codesOf, outcomeOf } from "../guard-outcome.ts";

const BLOCKED = [
  'echo > /dev/"sd"a',
  "dd if=x of=/dev/sda bs=1M",
  "sudo dd of=/dev/nvme0n1 < x",
  "mkfs.ext4 /dev/sdb1",
  "mkfs -t ext4 /dev/sda",
  "mkswap /dev/sdb2",
  "wipefs -a /dev/sda",
  "wipefs --all --force /dev/sda",
  "cat x > /dev/sda",
  "cp x.img /dev/sdb",
  "tee /dev/sda < x",
  "shred /dev/sda",
  "sgdisk -Z /dev/sda",
  "sgdisk --zap-all /dev/sda",
  "parted -s /dev/sda mklabel gpt",
  "fdisk /dev/sda",
  "echo w | fdisk /dev/sda",
  "sfdisk /dev/sda < t",
  "blkdiscard /dev/sda",
  "chmod -R 777 /",
  "chown -R nobody: /",
  "chmod -R 000 /*",
  "sudo chown --recursive op /",
  "mv /usr /tmp/x",
  "mv /etc /etc.bak",
  "mv /* /tmp",
  "mv -t /tmp /boot",
  ":(){ :|:& };:",
  "bomb() { bomb | bomb & }; bomb",
  "perl -e 'fork while fork'",
  "python -c 'import os\nwhile True: os.fork()'",
  "cryptsetup luksFormat /dev/sdb",
];

const ALLOWED = [
  "dd if=/dev/zero of=disk.img bs=1M count=10",
  "dd if=/dev/sda of=/backup/sda.img",
  "mkfs.ext4 disk.img",
  "mkswap /swapfile",
  "wipefs /dev/sda",
  "fdisk -l",
  "fdisk -l /dev/sda",
  "parted -l",
  "parted /dev/sda print",
  "sgdisk -p /dev/sda",
  "lsblk",
  "echo x > /dev/null",
  "ls 2>/dev/null",
  "cmd > /dev/stderr",
  "cat < /dev/sda | head -c 10",
  "chmod -R 755 /srv/app",
  "chown -R op:op /var/www",
  "chmod 755 /",
  "mv /usr/local/bin/a /tmp",
  "mv a b",
  "mv /etc/nginx/a.conf /etc/nginx/b.conf",
  "openssl s_client -connect h:443 </dev/null",
  "test -e /dev/sda",
  "hdparm -I /dev/sda",
  "smartctl -a /dev/sda",
];

describe("destruction of a device or of the system", () => {
  test.each(BLOCKED)("%j is blocked as disk.write", (command) => {
    expect(codesOf(command)).toContain("disk.write");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });
});
