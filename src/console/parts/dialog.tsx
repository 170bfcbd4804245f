// A question before something happens: it takes the focus, and Escape leaves everything as it is.
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

type Props = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description: string;
  readonly children: ReactNode;
};

export const Dialog = ({ open, onClose, title, description, children }: Props) => (
  <Radix.Root open={open} onOpenChange={(opened) => opened || onClose()}>
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
