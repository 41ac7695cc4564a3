// Reads a Content-Type header (RFC 9110 section 8.3.1). Strict on purpose: four rounds of
// advisories in other servers came from spellings that one part took for JSON and another did not.

const TOKEN = String.raw`[!#$%&'*+.^_\u0060|~0-9A-Za-z-]+`
const MEDIA_TYPE_PATTERN = new RegExp(`^(${TOKEN}/${TOKEN})[ \\t]*(;.*)?$`)
const PARAMETER_PATTERN = new RegExp(
  String.raw`;[ \t]*(?:(${TOKEN})=(${TOKEN}|"(?:[^"\\\r\n]|\\.)*"))?[ \t]*`,
  'y',
)

export interface MediaType {
  /** Lower case, without parameters. */
  readonly name: string
  /** Lower case; null when none is named. */
  readonly charset: string | null
}

/** Null for what is no media type, or one whose parameters cannot be read. */
export function parseMediaType(header: string | undefined): MediaType | null {
  const match = MEDIA_TYPE_PATTERN.exec(header ?? '')
  if (match?.[1] === undefined) return null
  const charsets = readCharsets(match[2] ?? '')
  // Two charsets would be read differently by different readers.
  if (charsets === null || charsets.length > 1) return null
  return { name: match[1].toLowerCase(), charset: charsets[0] ?? null }
}

function readCharsets(parameters: string): string[] | null {
  const charsets: string[] = []
  PARAMETER_PATTERN.lastIndex = 0
  while (PARAMETER_PATTERN.lastIndex < parameters.length) {
    const found = PARAMETER_PATTERN.exec(parameters)
    if (found === null) return null
    if (found[1]?.toLowerCase() === 'charset') {
      charsets.push((found[2] ?? '').replaceAll('"', '').toLowerCase())
    }
  }
  return charsets
}
