// An address that is no page.
import { Link } from "@tanstack/react-router";
import { Empty } from "./empty.tsx";

export const NotFound = () => (
  <main className="page">
    <Empty icon="search" title="There is no such page">
      <p>
        <Link to="/">Go to the inbox</Link>
      </p>
    </Empty>
  </main>
);
