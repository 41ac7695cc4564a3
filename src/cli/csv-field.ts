// One field of CSV output (RFC 4180). Items come from other people's files, and a spreadsheet runs
// a cell that begins like a formula (OWASP "CSV injection"), so such a field gets an apostrophe in
// front.

import { escapeControls } from './format-table.ts'

// The full-width signs are taken for the plain ones by some spreadsheets. Tab and line end are
// escaped before.
const FORMULA_PATTERN = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

/** With control characters escaped, formulas disarmed, and quotes where commas or quotes are. */
export function formatCsvField(value: string | number | boolean): string {
  const text = escapeControls(String(value))
  const safe = typeof value === 'string' && FORMULA_PATTERN.test(text) ? `'${text}` : text
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
