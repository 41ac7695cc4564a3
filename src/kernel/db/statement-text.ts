// The text of a statement, in any form that the driver takes: a text, a query with values, a COPY.

/** Empty for an object without a text. */
export function readStatementText(statement: unknown): string {
  if (typeof statement === 'string') return statement
  const hasText = typeof statement === 'object' && statement !== null && 'text' in statement
  return hasText && typeof statement.text === 'string' ? statement.text : ''
}
