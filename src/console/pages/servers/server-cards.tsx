// The servers, each as a card.
import { ServerCard, type ShownServer } from "./server-card.tsx";

export function ServerCards({ servers }: { readonly servers: readonly ShownServer[] }) {
  const live = servers.filter(({ state }) => state === "alive");
  return (
    <ul className="server-cards" aria-label="Servers">
      {servers.map((server) => (
        <ServerCard key={server.server_id} server={server} is_alone={live.length === 1} />
      ))}
    </ul>
  );
}
