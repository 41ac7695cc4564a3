// The span of a statement of the database: its text without values, and how it ended.

import { readSpan, type Span } from '../tracing/span.ts'
import { readStatementText } from './statement-text.ts'
import { readErrorCode } from './trouble-codes.ts'

// A longer one tells no more.
const TEXT_LENGTH_MAX = 2_000

/** Null in work that is not traced. */
export function beginStatementSpan(statement: unknown): Span | null {
  const span = readSpan()
  if (span === null) return null
  const text = hideLiterals(readStatementText(statement)).slice(0, TEXT_LENGTH_MAX)
  const operation = /^[\s(]*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'COPY'
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(text === '' ? {} : { 'db.query.text': text }),
  }
  return span.startChild({ name: operation, kind: 'client', attributes })
}

export function endStatementSpan(span: Span | null | undefined, error: unknown): void {
  if (span === null || span === undefined) return
  if (error === null || error === undefined) return span.end()
  const attributes = { 'db.response.status_code': readErrorCode(error) ?? 'unknown' }
  span.end({ attributes, hasFailed: true })
}

/**
 * Values of requests are parameters (`$1`) already. The literals of our own texts go too, so that
 * the setting of a row scope, which has the tenant in it, can never be one of them.
 */
function hideLiterals(text: string): string {
  return text.replaceAll(/'(?:[^']|'')*'/g, "'?'")
}
