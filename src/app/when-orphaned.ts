// Notices that the process that started this one has ended.

const PARENT_CHECK_MS = 250;

/** npm passes a signal on to the shell that it runs a program in, and not to the program: the shell's end has to do. */
export function whenOrphaned(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, PARENT_CHECK_MS);
  timer.unref();
}
