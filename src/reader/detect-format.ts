// Detects the format of a raw report by its content, since the media type is often wrong.

import { isJsonObject } from '../values/json-value.ts'
import { parseJsonBytes } from './formats/json-bytes.ts'

export type DetectedFormat =
  /** `value` is the parsed JSON, so that no reader parses it a second time. */
  | { readonly kind: 'xarf_v4'; readonly value: Record<string, unknown> }
  /** `isJson`: whether it could be parsed at all. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly isJson: boolean }

/** Detects XARF v4, complete or not; every other content is unknown. */
export function detectFormat(bytes: Uint8Array): DetectedFormat {
  const json = parseJsonBytes(bytes)
  if (json.kind === 'no_json') {
    const reason = `The report is in no format that is read here: it ${json.reason}.`
    return { kind: 'unknown', reason, isJson: false }
  }
  const { value } = json
  if (!isJsonObject(value)) {
    return { kind: 'unknown', reason: 'The report is JSON, but not an object.', isJson: true }
  }
  if (isXarfV4(value)) return { kind: 'xarf_v4', value }
  return {
    kind: 'unknown',
    reason: 'The report is a JSON object, but not XARF: it has no xarf_version of the form 4.x.y.',
    isJson: true,
  }
}

// A report without a version is recognised by the members that only version 4 has together. Its
// sender then reads what is missing, instead of an answer that the format is unknown.
function isXarfV4(value: Record<string, unknown>): boolean {
  const version = value['xarf_version']
  if (typeof version === 'string') return version.startsWith('4')
  return ['source_identifier', 'category', 'type'].every((name) => name in value)
}
