// The task as commands of `orch`: choosing one copies it.
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { Icon } from "../../parts/icon.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { orchCommands } from "./orch-commands.ts";

const SAID_MS = 1_500;

export function CommandMenu({ task }: { readonly task: OperationAnswer<"get_task"> }) {
  const [copied, setCopied] = useState(false);
  const copy = (command: string) =>
    void navigator.clipboard.writeText(command).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), SAID_MS);
    });
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="button quiet">
        <Icon name={copied ? "check" : "copy"} />
        <span aria-live="polite">{copied ? "Copied" : "As a command"}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu commands" align="end" sideOffset={4}>
          {orchCommands(task).map(({ what, command }) => (
            <DropdownMenu.Item key={what} className="menu-item command-item" onSelect={() => copy(command)}>
              <span className="small muted">{what}</span>
              <code>{command}</code>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
