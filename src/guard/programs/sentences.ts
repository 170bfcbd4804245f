// What effects say of themselves where that has a consequence (consequences/rule.ts). Each completes "this step ...".

export const DELETES = "deletes files";
export const NETWORK = "changes the network";
export const FIREWALL = "changes the firewall";
export const USERS = "changes users";
export const STOPS = "restarts or stops the machine";
export const DISKS = "changes disks or mounts";
