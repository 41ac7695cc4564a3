// UUIDs as text (RFC 9562).

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for the 36-character text form of any UUID version, in either case. */
export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text)
}

/** `C-` and an upper-case UUID, or null when the text is no case id. */
export function parseCaseId(text: string): string | null {
  return /^c-/i.test(text) && isUuid(text.slice(2)) ? text.toUpperCase() : null
}

/** A lower-case UUID, or null when the text is none. */
export function parseRecordId(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : null
}
