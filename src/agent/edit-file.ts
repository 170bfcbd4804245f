// The tool that replaces exact text in a file. Its call is a command like any other, so policy, containment, evidence and drafts
// know it: bash reads the file, compares bytes and writes it. The texts are literals in it, of which bash expands nothing (D-251).
import { type AgentCall, FileEdit } from "../domain/agent-events.ts";

export const EDIT = "edit_file";

/** What a call of the tool asks for. */
export const editIn = ({ name, arguments: given }: Pick<AgentCall, "name" | "arguments">): FileEdit | undefined =>
  name === EDIT ? FileEdit.safeParse(given).data : undefined;

/** With LC_ALL=C, texts are bytes: a file in another encoding stays as it is. `$(...)` drops line ends, so a dot guards them. */
export function editCommand({ path, old_text, new_text }: FileEdit): string {
  const [file, old, text] = [path, old_text, new_text].map(literal);
  if (old_text === "") {
    return `file=${file}
new=${text}
[[ ! -e $file ]] || { echo "$file exists: give the text in it to replace" >&2; exit 1; }
printf '%s' "$new" > ${file}`;
  }
  return `LC_ALL=C
file=${file}
old=${old}
new=${text}
text=$(cat -- ${file} && echo .)
text=\${text%.}
[[ \${#text} -eq $(wc -c < ${file}) ]] || { echo "$file is no text" >&2; exit 1; }
[[ $text == *"$old"* ]] || { echo "old_text does not occur in $file" >&2; exit 1; }
[[ $text != *"$old"*"$old"* ]] || { echo "old_text occurs more than once in $file: give more of its lines" >&2; exit 1; }
text=\${text/"$old"/"$new"}
printf '%s' "$text" > ${file}`;
}

const literal = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
