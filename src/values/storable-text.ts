// Text that PostgreSQL cannot keep as it was sent: it refuses U+0000 and silently replaces a lone
// surrogate. Such text is refused at the edge, so that the stored text is always the text that was
// sent.

/** True when `text` is well-formed Unicode without U+0000. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

// A body nests at most this deep; JSON.parse accepts any depth, but a recursive function does not.
const DEPTH_MAX = 100

/**
 * The JSON pointer of the first text (or member name) that cannot be stored, or of the first value
 * that nests too deep; null when there is none.
 */
export function findUnstorableText(value: unknown): string | null {
  const found = findIn(value, 0)
  // The empty pointer is the whole document (RFC 6901); a person reads "/" more easily.
  return found === null ? null : found || '/'
}

/** The pointer is built on the way back only, so that valid text costs no pointers. */
function findIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return isStorableText(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  if (depth >= DEPTH_MAX) return ''
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const found = findIn(value[i], depth + 1)
      if (found !== null) return `/${i}${found}`
    }
    return null
  }
  for (const [key, member] of Object.entries(value)) {
    if (!isStorableText(key)) return ''
    const found = findIn(member, depth + 1)
    if (found !== null) return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${found}`
  }
  return null
}
