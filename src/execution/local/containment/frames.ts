// What orch and its starter say to each other (D-275): a letter, the number of a command, and bytes with their length before them.

export type Frame = { readonly what: string; readonly id: number; readonly bytes: Buffer };

const HEAD = 9;

export function frame(what: string, id: number, text = ""): Buffer {
  const whole = Buffer.allocUnsafe(HEAD + Buffer.byteLength(text));
  whole.write(what, 0, "latin1");
  whole.writeUInt32BE(id, 1);
  whole.writeUInt32BE(whole.length - HEAD, 5);
  whole.write(text, HEAD);
  return whole;
}

/** Takes what arrives, in any parts, and gives what is whole. */
export function createFrames(take: (frame: Frame) => void): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (part) => {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    for (;;) {
      if (rest.length < HEAD) return;
      const end = HEAD + rest.readUInt32BE(5);
      if (rest.length < end) return;
      take({ what: rest.toString("latin1", 0, 1), id: rest.readUInt32BE(1), bytes: rest.subarray(HEAD, end) });
      rest = rest.subarray(end);
    }
  };
}
