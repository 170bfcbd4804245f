#!/bin/bash
# Lists what is in the world and at the `items`, for a comparison. Overlays mark directories that are read: of a directory only the time
# of its contents counts.
snapshot() {
  find root u "${items[@]}" -xdev \( -type d -printf '%p\t%y %T@\0' \) -o -printf '%p\t%y %s %C@\0'
}
