// Rows of CSV output (RFC 4180). Items come from other people's files, and a spreadsheet runs a
// cell that begins like a formula (OWASP "CSV injection"), so such a field gets an apostrophe in
// front.

import { type Options, stringify } from 'csv-stringify/sync'
import { escapeControls } from './format-table.ts'

export type CsvField = string | number | boolean | null

// The option `escape_formulas` looks at the first character only, but spreadsheets skip spaces.
const SPACED_FORMULA_PATTERN = /^\s+[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

const OPTIONS: Options = {
  escape_formulas: true,
  record_delimiter: '\r\n',
  cast: { boolean: String, string: disarmText },
}

/**
 * Each row ends with CRLF. Control characters are escaped, formulas disarmed, and fields with a
 * comma or quote are quoted; null is an empty field.
 */
export function formatCsvRows(rows: readonly (readonly CsvField[])[]): string {
  return stringify([...rows], OPTIONS)
}

function disarmText(text: string): string {
  const shown = escapeControls(text)
  return SPACED_FORMULA_PATTERN.test(shown) ? `'${shown}` : shown
}
