// The sign of orch: a path that passes a gate.
export const Mark = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
    <circle cx="10" cy="10" r="7.5" />
    <path d="M6.5 10.2 9 12.7l4.5-5" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);
