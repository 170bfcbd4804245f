// The icons: strokes on a grid of 16, in the colour of the text around them.

const PATHS = {
  inbox: "M2 9h3.5l1 2h3l1-2H14M3.5 3h9L14 9v4H2V9z",
  tasks: "M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  graph:
    "M4 5.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zm8 8.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM4 5.5v3A3.75 3.75 0 0 0 7.75 12.25h2.5",
  sops: "M4 2h8v12H4zM6.5 5.5h3M6.5 8h3",
  teach: "M2.5 13.5 3.5 10l7-7 2.5 2.5-7 7zM9 4.5 11.5 7",
  scorecard: "M2.5 13.5h11M4.5 11V8M8 11V4M11.5 11V6.5",
  servers: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.010M5 11h.010",
  more: "M3.5 8h.010M8 8h.010M12.5 8h.010",
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  warn: "M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.5h.010",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.5V11M8 5h.010",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  out: "M6 3H3v10h3M9 5l3 3-3 3M12 8H6",
  file: "M8 2v8M5 7l3 3 3-3M3 13.5h10",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14",
  keys: "M1.5 4h13v8h-13zM4 6.5h.010M7 6.5h.010M10 6.5h.010M4.5 9.5h7",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

// The sign of orch: a path that passes a gate.

export const Mark = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
    <circle cx="10" cy="10" r="7.5" />
    <path d="M6.5 10.2 9 12.7l4.5-5" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

// The mark of orch as an icon, with a number on it.

const MOST = 9;

const badge = (count: number): string =>
  `<circle cx="21.5" cy="10.5" r="10.5" fill="#c47a00"/><text x="21.5" y="15.5" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="14" fill="#fff">${count > MOST ? `${MOST}+` : count}</text>`;

export const iconWith = (count: number): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none"><circle cx="16" cy="16" r="12" stroke="#5068d8" stroke-width="3.5"/><path d="m10.5 16.5 4 4 7-8" stroke="#5068d8" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/>${count > 0 ? badge(count) : ""}</svg>`,
  )}`;
