// Preloaded into the server (`node --import`): takes away what a test wants it to be without. CONSTRAIN_FILE_KIB bounds
// the size of any file that it writes, as a full disk does; CONSTRAIN_UID makes it a user who may not write everywhere.

const { CONSTRAIN_FILE_KIB: kib, CONSTRAIN_UID: uid, ...rest } = process.env;

// A process cannot bound itself; bash can, and becomes the server again under the same pid.
if (kib !== undefined) {
  const server = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const env = uid === undefined ? rest : { ...rest, CONSTRAIN_UID: uid };
  process.execve?.(
    "/bin/bash",
    ["bash", "-c", 'ulimit -f "$0"; exec "$@"', kib, ...server],
    env as Record<string, string>,
  );
}
if (uid !== undefined) {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
