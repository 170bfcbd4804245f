// Whether two texts have room beside each other.
import { useSyncExternalStore } from "react";

const WIDE = matchMedia("(min-width: 1000px)");

const follow = (changed: () => void) => {
  WIDE.addEventListener("change", changed);
  return () => WIDE.removeEventListener("change", changed);
};

export const useIsWide = (): boolean => useSyncExternalStore(follow, () => WIDE.matches);
