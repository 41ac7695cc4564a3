// Parses the Accept header (RFC 9110 section 12.5.1) to decide whether the client asks for a media
// type by name.

/**
 * True when `accept` names `mediaType` itself with a weight above 0. A wildcard does not count: a
 * client that accepts everything did not ask for this form.
 */
export function namesMediaType(accept: string | undefined, mediaType: string): boolean {
  if (accept === undefined || accept === '') return false
  return splitOutsideQuotes(accept, ',').some((range) => {
    const [name = '', ...parameters] = splitOutsideQuotes(range, ';')
    return name.trim().toLowerCase() === mediaType && hasWeight(parameters)
  })
}

/**
 * An invalid weight counts as 0, because every client understands the response without a body.
 */
function hasWeight(parameters: readonly string[]): boolean {
  for (const parameter of parameters) {
    const match = /^\s*q\s*=(.*)$/i.exec(parameter)
    const weight = match?.[1]?.trim()
    if (weight !== undefined) {
      return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) && Number(weight) > 0
    }
  }
  return true
}

// A single pass: a header may have 16 KiB, and a regular expression with look-ahead would need
// quadratic time.
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
