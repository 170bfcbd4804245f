// Which words of a command line name the paths and the hosts that it reaches, as data.

export type ReachRow = {
  /** Base names, separated by blanks. */
  readonly of: string;
  /** `rest`: all but the first. */
  readonly operands?: "all" | "first" | "last" | "rest";
  /** Options whose value is one, and others that have a value. */
  readonly options?: string;
  readonly valued?: string;
};

/** Programs that are not here reach the absolute paths among their words. */
export const PATHS: readonly ReachRow[] = [
  {
    of: "rm grm srm unlink rimraf rmdir wipe trash trash-put tee gzip gunzip bzip2 xz zstd dos2unix sponge",
    operands: "all",
  },
  { of: "shred", operands: "all", valued: "n s iterations size random-source" },
  { of: "truncate", operands: "all", valued: "s r size reference" },
  { of: "touch", operands: "all", valued: "d r t date reference" },
  { of: "mkdir", operands: "all", valued: "m mode" },
  { of: "fallocate", operands: "all", valued: "l o length offset" },
  { of: "mv", operands: "all", options: "t target-directory", valued: "S suffix" },
  { of: "cp ln install", operands: "last", options: "t target-directory", valued: "S suffix m mode o g owner group" },
  { of: "scp", operands: "last", valued: "c D F i J l o P S X" },
  { of: "rsync", operands: "last", valued: "e f B M T rsh exclude include filter exclude-from include-from bwlimit" },
  { of: "chmod chown chgrp chattr setcap", operands: "rest" },
  { of: "setfacl", operands: "all", valued: "m x M X modify remove set" },
  { of: "sed gsed", operands: "rest", valued: "E" },
  { of: "curl", options: "o output" },
  { of: "wget", options: "O output-document P directory-prefix" },
  { of: "unzip", options: "d", valued: "x" },
];

export const HOSTS: readonly ReachRow[] = [
  { of: "ssh", operands: "first", options: "J", valued: "B b c D E e F I i L l m O o p P Q R S W w" },
  { of: "ssh-copy-id ssh-keyscan", operands: "all", valued: "i p o t T" },
  { of: "ping ping6 fping arping", operands: "all", valued: "c i I W w s t Q m M l p S T" },
  { of: "traceroute tracepath mtr nmap showmount telnet", operands: "first", valued: "p m q w i s c f" },
  { of: "nc ncat netcat", operands: "first", valued: "w p s q i x X I O T P V" },
  { of: "ansible", operands: "first", valued: "i m a u f e l t c T M" },
  { of: "ansible-playbook", options: "l limit", valued: "i e u f t" },
  { of: "kubectl oc", options: "context s server" },
  { of: "helm", options: "kube-context kube-apiserver" },
  { of: "docker podman nerdctl", options: "H host c context", valued: "l log-level config" },
  { of: "systemctl loginctl journalctl hostnamectl timedatectl", options: "H host" },
  {
    of: "psql pg_dump pg_dumpall pg_restore dropdb createdb createuser dropuser mysql mariadb mysqldump mysqladmin",
    options: "h host",
  },
  { of: "redis-cli valkey-cli keydb-cli mosquitto_pub mosquitto_sub", options: "h" },
  { of: "mongosh mongo", options: "host" },
  { of: "ipmitool", options: "H", valued: "I U P f E p L e k y K N R t T" },
  { of: "talosctl", options: "n nodes e endpoints" },
];

/** Their options come before the verb; after it the same letters mean something else. */
export const BEFORE_VERB_ONLY = /^(?:ssh|docker|podman|nerdctl|ipmitool)$/;
/** Words such as `host:/path` of these name a host. */
export const COPIES_BETWEEN = /^(?:scp|sftp|rsync|mount(?:\.nfs4?)?|git|sshfs|lftp)$/;
/** Verbs of git that name another repository. */
export const GIT_TALKS = /^(?:clone|push|pull|fetch|ls-remote|remote|submodule|archive)$/;
