// The answer to a question that was sent. Found, absent and failed are never mixed up: only a
// failure makes a look-up partial (design 4.4).

export type FailureReason = 'timeout' | 'refused' | 'malformed'

/** `absent`: the answer is that there is none. */
export type Answer<Value> =
  | { readonly kind: 'found'; readonly value: Value }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }

export const ABSENT = { kind: 'absent' } as const
