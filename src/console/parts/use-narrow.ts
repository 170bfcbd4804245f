// Whether the page is as narrow as a telephone.
import { useSyncExternalStore } from "react";

const query = matchMedia("(max-width: 760px)");

const follow = (changed: () => void) => {
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
};

export const useNarrow = (): boolean => useSyncExternalStore(follow, () => query.matches);
