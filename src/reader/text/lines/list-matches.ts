// All matches of a pattern, for the places where a log makes each microsecond count.

/**
 * As `matchAll` gives them, without the copy of the pattern that it makes each time. `pattern` is
 * global and matches no empty text.
 */
export function listMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) found.push(match)
  return found
}
