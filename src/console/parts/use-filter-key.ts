// `/` goes to the filter of a list.
import { type RefObject, useRef } from "react";
import { useKeys } from "./use-keys.ts";

/** The field has to be given the reference. */
export function useFilterKey<E extends HTMLInputElement | HTMLSelectElement = HTMLInputElement>(): RefObject<E | null> {
  const field = useRef<E>(null);
  useKeys({
    "/": (event) => {
      event.preventDefault();
      field.current?.focus();
      if (field.current instanceof HTMLInputElement) field.current.select();
    },
  });
  return field;
}
