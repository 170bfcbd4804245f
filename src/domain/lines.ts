// Cuts what arrives in chunks into lines, and keeps no line that is too long.

const NEWLINE = 0x0a;

/** Cuts chunks into lines without their ends. A line longer than `max_bytes` is not kept; `hear` gets null for it. */
export function createLines(max_bytes: number, hear: (line: string | null) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;

  function add(part: Buffer): void {
    bytes += part.length;
    if (bytes > max_bytes) parts = [];
    else parts.push(part);
  }

  function end(): void {
    const line = bytes > max_bytes ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    bytes = 0;
    hear(line);
  }

  return (chunk) => {
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE)) {
      add(rest.subarray(0, at));
      end();
      rest = rest.subarray(at + 1);
    }
    add(rest);
  };
}
