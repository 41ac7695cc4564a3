// UUIDs as text (RFC 9562).

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for the 36-character text form of any UUID version, in either case. */
export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text)
}
