// How the demo speaks: headings, prose, what was sent, what came back, and what was checked. Colours only on a terminal.
import { styleText } from "node:util";
import { readable } from "./readable.ts";

const WIDTH = Math.min(process.stdout.columns ?? 100, 100);
const COLOURED = process.stdout.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";

type Style = Parameters<typeof styleText>[0];

const styled = (style: Style, text: string): string =>
  COLOURED ? styleText(style, text, { validateStream: false }) : text;

const write = (text: string): void => void process.stdout.write(`${text}\n`);

export type Story = ReturnType<typeof createStory>;

export function createStory() {
  let held = 0;
  return {
    heading: (text: string) => write(`\n${styled("bold", text)}\n${styled("bold", "─".repeat(text.length))}`),
    /** A paragraph; lines break where they have to. */
    say: (text: string) => write(`\n${wrapped(text, WIDTH)}`),
    /** A line that is printed as it is. */
    line: (text: string) => write(text),
    /** Throws when the claim does not hold. */
    expectThat: (holds: boolean, claim: string) => {
      if (!holds) throw new Error(`This does not hold: ${claim}`);
      held += 1;
      write(`  ${styled("green", "✔")} ${wrapped(claim, WIDTH - 4).replaceAll("\n", "\n    ")}`);
    },
    sent: (request: string, body: unknown) => {
      write(`\n  ${styled("cyan", `→ ${request}`)}`);
      if (body !== undefined) write(block(body));
    },
    answered: (status: number, body: unknown) => {
      write(`  ${styled(status < 400 ? "cyan" : "yellow", `← ${status}`)}`);
      write(block(body));
    },
    /** A file that the supervisor looks into. */
    file: (name: string, content: string) => {
      write(`\n  ${styled("cyan", `$ cat ${name}`)}\n${styled("dim", indented(content.trimEnd()))}`);
    },
    claimsHeld: () => held,
    failed: (error: unknown) => write(`\n${styled("red", `✘ ${error instanceof Error ? error.message : error}`)}`),
  };
}

const block = (body: unknown): string => styled("dim", indented(readable(body, WIDTH - 4)));

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "    ");

function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = [lines.at(-1), word].join(" ");
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("\n");
}
