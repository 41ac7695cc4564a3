// Ids in paths and parameters: upper and lower case are one id. A text that cannot be an id names no
// record, so a path answers 404.

import { isUuid } from '../../values/uuid.ts'

/** `C-` and an upper-case UUID, or null when the text is no case id. */
export function parseCaseId(text: string): string | null {
  return /^c-/i.test(text) && isUuid(text.slice(2)) ? text.toUpperCase() : null
}

/** A lower-case UUID, or null when the text is none. */
export function parseRecordId(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : null
}
