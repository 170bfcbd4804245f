// How wide the window is: as narrow as a telephone, or with room for two texts beside each other.
import { useSyncExternalStore } from "react";

function following(condition: string): () => boolean {
  const query = matchMedia(condition);
  const follow = (changed: () => void) => {
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  };
  return () => useSyncExternalStore(follow, () => query.matches);
}

export const useNarrow = following("(max-width: 760px)");
export const useWide = following("(min-width: 1000px)");
