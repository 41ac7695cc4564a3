// The intent of an item follows from the intents of its tags.

/** Intents a tag can have. `none` is a tag that only describes. */
export type TagIntent = 'malicious' | 'suspicious' | 'benign' | 'unknown' | 'none'

/** The intent of an item (interface 2.2 and 2.3). */
export type Intent = 'malicious' | 'suspicious' | 'benign' | 'unknown'

/**
 * `benign` when one tag is benign: those tags are vetted, so they override. Else the worst of the
 * rest: `malicious`, then `suspicious`; `unknown` when there is neither.
 */
export function intentOfTags(intents: readonly TagIntent[]): Intent {
  let worst: Intent = 'unknown'
  for (const intent of intents) {
    if (intent === 'benign') return 'benign'
    if (intent === 'malicious') worst = 'malicious'
    else if (intent === 'suspicious' && worst === 'unknown') worst = 'suspicious'
  }
  return worst
}
