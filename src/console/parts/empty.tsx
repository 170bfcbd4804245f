// Nothing to show: what that means, and what to do next.
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

type Props = { readonly icon: IconName; readonly title: string; readonly children?: ReactNode };

export const Empty = ({ icon, title, children }: Props) => (
  <div className="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);
