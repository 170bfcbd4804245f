// The mark of orch as an icon, with a number on it.

const MOST = 9;

const badge = (count: number): string =>
  `<circle cx="21.5" cy="10.5" r="10.5" fill="#c47a00"/><text x="21.5" y="15.5" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="14" fill="#fff">${count > MOST ? `${MOST}+` : count}</text>`;

export const iconWith = (count: number): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none"><circle cx="16" cy="16" r="12" stroke="#5068d8" stroke-width="3.5"/><path d="m10.5 16.5 4 4 7-8" stroke="#5068d8" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/>${count > 0 ? badge(count) : ""}</svg>`,
  )}`;
