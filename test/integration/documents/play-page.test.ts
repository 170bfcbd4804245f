import { expect, test } from "vitest";
import { playPage } from "../../support/documents/play-page.ts";

const page = (...blocks: string[]): string => blocks.map((block) => `\`\`\`${block}\n\`\`\`\n`).join("\n");
const faultsOf = async (text: string) => (await playPage(text)).map(({ fault }) => fault);

test("the directory and the exported variables of a block hold in the next one", async () => {
  const text = page(
    "sh\nmkdir here && cd here && export NAME=orch",
    "console\n$ echo $NAME in $PWD\norch in /home/you/here",
  );
  expect(await faultsOf(text)).toEqual([null, null]);
});

test("a file of a page is written before the command after it reads it", async () => {
  const text = page("yaml\n# lesson.yaml\nsteps: []", "sh\ncat lesson.yaml", "text\n# lesson.yaml\nsteps: []");
  expect(await faultsOf(text)).toEqual([null, null]);
});

test("a page ends at the first command that prints something else", async () => {
  const text = page("console\n$ echo a\na\n$ echo b\nc\n$ echo d\nd");
  expect(await faultsOf(text)).toEqual([null, "it printed something else than the page shows"]);
});

test("a command that shows nothing has to exit with 0, and a server has to go on", async () => {
  expect(await faultsOf(page("sh\nexit 3"))).toEqual(["the exit code is 3"]);
  const stays = `<!-- in a terminal of its own -->\n${page("sh\necho stops")}`;
  expect(await faultsOf(stays)).toEqual(["it ended with 0"]);
});

test("a port of a page is another one, and is shown as that of the page", async () => {
  const answer = `(_, response) => response.end("hello")`;
  const serve = `const url = "http://127.0.0.1:8123";
require("http").createServer(${answer}).listen(new URL(url).port, () => console.log(url))`;
  const server = `<!-- in a terminal of its own -->\n${page(`sh\nnode -e '${serve}'`)}`;
  expect(await faultsOf(`${server}\n${page("console\n$ curl -sS http://127.0.0.1:8123\nhello")}`)).toEqual([
    null,
    null,
  ]);
});
