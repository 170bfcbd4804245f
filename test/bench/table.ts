// Medians, and how the bench prints.
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export function row(name: string, ...cells: readonly (readonly [string, string])[]): void {
  say(`  ${name.padEnd(54)}${cells.map(([label, value]) => `${label} ${value}`.padEnd(22)).join("")}`);
}

export const ms = (value: number): string => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
export const times = (value: number): string => `${value.toFixed(2)}x`;
