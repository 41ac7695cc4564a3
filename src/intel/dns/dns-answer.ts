// The answer to a question that was really asked. Found, absent and failed never blur: only a
// failure makes a look-up partial (design 4.4).

export type FailureReason = 'timeout' | 'refused' | 'malformed'

/** `absent`: asked, and there is none. */
export type Answer<Value> =
  | { readonly kind: 'found'; readonly value: Value }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }

export const ABSENT = { kind: 'absent' } as const
