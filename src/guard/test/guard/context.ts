// Where the commands of the scores would run.
export const CONTEXT = { home: "/home/op", cwd: "/srv/app", env: {} };
