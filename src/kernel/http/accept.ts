// Reads the Accept header (RFC 9110 section 12.5.1) for one question: does the client name this
// media type?

/**
 * True when `accept` names `mediaType` itself with a weight above 0. Wildcards do not name it: a
 * client that takes anything did not ask for this form.
 */
export function namesMediaType(accept: string | undefined, mediaType: string): boolean {
  if (accept === undefined || accept === '') return false
  return splitOutsideQuotes(accept, ',').some((range) => {
    const [name = '', ...parameters] = splitOutsideQuotes(range, ';')
    return name.trim().toLowerCase() === mediaType && hasWeight(parameters)
  })
}

/**
 * A weight that cannot be read counts as 0: the short answer without a body is the one every client
 * understands.
 */
function hasWeight(parameters: readonly string[]): boolean {
  for (const parameter of parameters) {
    const match = /^\s*q\s*=\s*(.*?)\s*$/i.exec(parameter)
    const weight = match?.[1]
    if (weight !== undefined) {
      return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) && Number(weight) > 0
    }
  }
  return true
}

// One pass, since a header may hold 16 KiB and a regular expression with look-ahead would take
// quadratic time on it.
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]
    if (isQuoted && character === '\\') i += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
