// One hash over several fields, such that different fields never make the same input.

import { hash } from 'node:crypto'

/**
 * SHA-256 in lower-case hexadecimal over the fields in their order. Each is written with its length
 * in front, and null differs from every text, so ("ab", "c") and ("a", "bc") differ. Fields must be
 * well-formed text: a lone surrogate has no UTF-8 form.
 */
export function hashFields(fields: readonly (string | null)[]): string {
  let input = ''
  for (const field of fields) input += field === null ? '-;' : `${field.length}:${field};`
  return hash('sha256', input, 'hex')
}
