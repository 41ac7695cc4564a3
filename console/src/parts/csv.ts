// Tables as CSV (RFC 4180) for spreadsheets. A cell that a spreadsheet would run as a formula gets
// an apostrophe before it (OWASP, CSV injection): the text may be of a stranger.

export type Cell = string | number | null | undefined

export function toCsv(lines: readonly (readonly Cell[])[]): string {
  return lines.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('')
}

function writeCell(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Hands the text to the person as a file of the name, without what a file system refuses. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.replaceAll(/[\\/:*?"<>|]+/g, '-')
  link.click()
  // Not before the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
