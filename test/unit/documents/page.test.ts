import { expect, test } from "vitest";
import { stepsOf } from "../../support/documents/page.ts";

const PAGE = `# A page

<!-- in a terminal of its own -->
\`\`\`sh
orch serve
\`\`\`

\`\`\`yaml
# lesson.yaml
steps: []
\`\`\`

\`\`\`console
$ orch inbox
Nothing waits for you.
$ cat <<EOF
> a
> EOF
\`\`\`

<!-- not run: needs Docker -->
\`\`\`sh
docker ps
\`\`\`

\`\`\`sh
echo 1
\`\`\`

It prints:

\`\`\`text
1
\`\`\`

\`\`\`json
{}
\`\`\`
`;

test("the steps of a page are its blocks in order, each with what it prints", () => {
  expect(stepsOf(PAGE)).toEqual([
    { kind: "stay", line: 4, script: "orch serve\n", expected: null },
    { kind: "write", line: 8, file: "lesson.yaml", text: "# lesson.yaml\nsteps: []\n" },
    { kind: "run", line: 14, script: "orch inbox", expected: "Nothing waits for you." },
    { kind: "run", line: 16, script: "cat <<EOF\na\nEOF", expected: null },
    { kind: "skip", line: 22, reason: "needs Docker" },
    { kind: "run", line: 26, script: "echo 1\n", expected: "1\n" },
  ]);
});
