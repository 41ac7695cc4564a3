// Parts of a large answer (RFC 9110 section 14): a client whose download broke off asks for the
// rest. One range of bytes; what asks for several gets the whole answer, as section 14.2 allows.

export type AskedPart =
  | { readonly kind: 'whole' }
  /** From `first` to `last`, both inclusive. */
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  /** The answer is shorter than the range begins: 416. */
  | { readonly kind: 'beyond' }

interface RangeHeaders {
  readonly range?: string | string[] | undefined
  readonly 'if-range'?: string | string[] | undefined
}

// More digits than the length of any answer has.
const RANGE_PATTERN = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The part of an answer of `length` bytes and this ETag that a request asks for. The whole where it
 * asks for none, in another form, or for the rest of an answer with another tag.
 */
export function readAskedPart(headers: RangeHeaders, etag: string, length: number): AskedPart {
  const { range, 'if-range': ifRange } = headers
  if (typeof range !== 'string') return { kind: 'whole' }
  // Section 13.1.5: a date, a weak tag and another tag do not match.
  if (ifRange !== undefined && ifRange !== etag) return { kind: 'whole' }
  const [, first, last] = RANGE_PATTERN.exec(range) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) {
    return { kind: 'whole' }
  }
  if (first === '') return readSuffix(Number(last), length)
  const end = last === '' ? length - 1 : Math.min(Number(last), length - 1)
  if (last !== '' && Number(last) < Number(first)) return { kind: 'whole' }
  return Number(first) >= length
    ? { kind: 'beyond' }
    : { kind: 'part', first: Number(first), last: end }
}

/** The last bytes. */
function readSuffix(count: number, length: number): AskedPart {
  if (count === 0 || length === 0) return { kind: 'beyond' }
  return { kind: 'part', first: Math.max(0, length - count), last: length - 1 }
}
