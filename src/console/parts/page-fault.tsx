// A page that failed by a fault of its own, or whose script is gone because the server has a newer version.
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Notice } from "./notice.tsx";

export const PageFault = ({ error }: ErrorComponentProps) => (
  <div className="page stack">
    <Notice tone="bad" alert>
      <p>This page cannot be shown. If orch was upgraded, load it anew.</p>
      <p className="mono">{error instanceof Error ? error.message : String(error)}</p>
    </Notice>
    <div>
      <button type="button" className="button" onClick={() => location.reload()}>
        Load anew
      </button>
    </div>
  </div>
);
