// The processor time of a call. Unlike a clock it does not depend on what else the machine does.

/** In milliseconds, on all threads of this process: with what collects garbage and compiles. */
export function cpuTimeOf(call: () => void): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
