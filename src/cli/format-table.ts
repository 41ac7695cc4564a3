// Rows as an aligned table for a terminal. Control characters in data are escaped: a name must not
// be able to move the cursor.

/** One line a row under a header, columns as wide as their widest cell; missing values are "-". */
export function formatTable(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const cells = [
    columns.map((column) => column.replaceAll('_', ' ')),
    ...rows.map((row) => columns.map((column) => formatCell(row[column]))),
  ]
  const widths = columns.map((_, index) =>
    Math.max(...cells.map((line) => line[index]?.length ?? 0)),
  )
  return cells
    .map(
      (line) =>
        `${line
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return escapeControls(value.join(','))
  return escapeControls(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Shows C0, C1 and DEL characters as `\x1b` and the like. */
export function escapeControls(text: string): string {
  let shown = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f)
    shown += isControl ? `\\x${code.toString(16).padStart(2, '0')}` : character
  }
  return shown
}

/**
 * One line of JSON without any control character, so that it is safe on a terminal too; `indent` as
 * for JSON.stringify.
 */
export function formatJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\x7f-\x9f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
}
