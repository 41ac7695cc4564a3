// The checked rows as files.

import type { CheckedRow } from './use-check.ts'

const HEAD = ['item', 'type', 'intent', 'serviceMailBlocklist', 'activity', 'bogon', 'lines']

/** RFC 4180, with lines ended by CRLF. */
export function toCsv(rows: readonly CheckedRow[]): string {
  const lines = rows.map(({ item, lines: at, verdict }) =>
    [
      item,
      verdict.type,
      verdict.intent,
      verdict.serviceMailBlocklist,
      String(verdict.activity),
      String(verdict.bogon),
      at.join(' '),
    ]
      .map(quote)
      .join(','),
  )
  return [HEAD.join(','), ...lines, ''].join('\r\n')
}

// A program of tables takes a text that begins so for a formula (OWASP, CSV injection).
const FORMULA = /^[=+\-@\t\r]/

function quote(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function toJson(rows: readonly CheckedRow[]): string {
  const records = rows.map(({ item, lines, verdict }) => ({ ...verdict, item, lines }))
  return `${JSON.stringify(records, null, 2)}\n`
}

/** Hands a file to the browser, which saves it. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
