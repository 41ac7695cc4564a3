// Columns as array literals for `unnest`, one parameter a column. The driver's own conversion of
// arrays looks at every element several ways and costs more than the insert (measured: 3 µs a row
// of seven columns); these know what they hold.

/** Text of any content; null stays null. */
export function textArray(values: readonly (string | null)[]): string {
  const parts: string[] = []
  for (const value of values) parts.push(value === null ? 'null' : quote(value))
  return `{${parts.join(',')}}`
}

// What needs no quotes in an array literal; `null` in any spelling does, and so does the empty
// text.
const PLAIN = /^[A-Za-z0-9._:/-]+$/

function quote(value: string): string {
  if (PLAIN.test(value) && value.toLowerCase() !== 'null') return value
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
