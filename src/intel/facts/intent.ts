// The intent of an item, derived from the intents of its tags.

/** The intents of tags. A tag with `none` only describes. */
export type TagIntent = 'malicious' | 'suspicious' | 'benign' | 'unknown' | 'none'

/** The intent of an item (interface 2.2 and 2.3). */
export type Intent = 'malicious' | 'suspicious' | 'benign' | 'unknown'

/**
 * `benign` when one tag is benign: benign tags are vetted, so they override the others. Else the
 * worst intent: `malicious`, then `suspicious`; `unknown` when there is neither.
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
