// The mark of Casework.

export function Mark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path
        d="M21.5 12.2A7 7 0 1 0 21.5 19.8"
        fill="none"
        stroke="#fff"
        strokeWidth="3.2"
        strokeLinecap="round"
      />
      <circle cx="16" cy="16" r="2.1" fill="#fff" />
    </svg>
  )
}
