// A list of texts as an array literal, one parameter. The driver checks every element of an array
// for several types, which costs more than the insert itself; this function knows the type. For the
// columns of a batch of rows see write-arrays.ts, which writes an empty array for one of nulls.

/** Text of any content; null stays null. */
export function textArray(values: readonly (string | null)[]): string {
  const parts: string[] = []
  for (const value of values) parts.push(value === null ? 'null' : quote(value))
  return `{${parts.join(',')}}`
}

// Texts that need no quotes in an array literal. `null` in any spelling and the empty text need
// them.
const PLAIN = /^[A-Za-z0-9._:/-]+$/

function quote(value: string): string {
  if (PLAIN.test(value) && value.toLowerCase() !== 'null') return value
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
