// The time of the processor that this thread has taken, which does not depend on what else the machine does.
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
