// Fields written as `Key: value`, one a line, as the parts of ARF and X-ARF and some texts hold
// them, each with its line.

export interface FieldLine {
  /** Lower case. */
  readonly name: string
  /** Continuation lines joined by a space, quotes around the whole taken off. */
  readonly value: string
  /** From 1. */
  readonly line: number
  /** As it stands there. */
  readonly text: string
}

// The longest known part has 40 fields; log excerpts that follow one are not fields.
const FIELDS_MAX = 200
const LINES_MAX = 2_000
const VALUE_LENGTH_MAX = 8_192

const FIELD = /^[ \t]{0,8}([A-Za-z][\w-]{0,60})[ \t]{0,10}:(?:[ \t]+|$)(.*)/

/** The fields of the lines in their order; lines that are none are passed over. */
export function readFieldLines(lines: readonly string[]): readonly FieldLine[] {
  const fields: FieldLine[] = []
  // Where the open field starts in its line; what is further in continues it. Null behind a line
  // that is neither.
  let indent: number | null = null
  for (const [at, line] of lines.slice(0, LINES_MAX).entries()) {
    const match = FIELD.exec(line)
    const last = fields.at(-1)
    const start = line.length - line.trimStart().length
    if (indent !== null && last !== undefined && start > indent && start < line.length) {
      fields[fields.length - 1] = extendField(last, line)
    } else if (match !== null && fields.length < FIELDS_MAX) {
      fields.push(fieldOf(match, at + 1, line))
      indent = start
    } else {
      indent = null
    }
  }
  return fields
}

function fieldOf(match: RegExpExecArray, line: number, text: string): FieldLine {
  const value = unquote((match[2] ?? '').trim().slice(0, VALUE_LENGTH_MAX))
  return { name: (match[1] ?? '').toLowerCase(), value, line, text: text.slice(0, 400) }
}

function extendField(field: FieldLine, line: string): FieldLine {
  const value = `${field.value} ${line.trim()}`.trim().slice(0, VALUE_LENGTH_MAX)
  return { ...field, value }
}

function unquote(value: string): string {
  return /^(?:"[^"]*"|'[^']*')$/.test(value) ? value.slice(1, -1) : value
}

/** The first field of one of these names that has a value; the names in the order of preference. */
export function findField(
  fields: readonly FieldLine[],
  ...names: readonly string[]
): FieldLine | null {
  for (const name of names) {
    const field = fields.find((entry) => entry.name === name && entry.value !== '')
    if (field !== undefined) return field
  }
  return null
}

/** Empty when there is none. */
export function fieldText(fields: readonly FieldLine[], ...names: readonly string[]): string {
  return findField(fields, ...names)?.value ?? ''
}
