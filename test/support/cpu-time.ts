// Measures the processor time of a call. Unlike a clock it does not count what other tests and programs do meanwhile.

/** In milliseconds, on this thread: without what collects garbage and compiles beside it. */
export function cpuTimeOf(call: () => void): number {
  const before = process.threadCpuUsage();
  call();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
