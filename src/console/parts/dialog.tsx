// A dialog, while it is rendered: it takes the focus, and Escape leaves everything as it is.
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

export type DialogProps = {
  readonly onClose: () => void;
  readonly title: string;
  readonly description: string;
  readonly children?: ReactNode;
};

export const Dialog = ({ onClose, title, description, children }: DialogProps) => (
  <Radix.Root open onOpenChange={(opened) => opened || onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="overlay" />
      <Radix.Content className="dialog">
        <Radix.Title asChild>
          <h2>{title}</h2>
        </Radix.Title>
        <Radix.Description className="muted">{description}</Radix.Description>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
