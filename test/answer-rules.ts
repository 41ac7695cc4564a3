// Rules that hold for every answer of the program. The test programs check them for each answer
// that any test receives, so that no route and no refusal is left out.

import assert from 'node:assert/strict'

interface AnyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

export function assertAnswerRules({ status, headers, text }: AnyAnswer): void {
  const type = headers['content-type']
  const isJson = typeof type === 'string' && type.startsWith('application/json')
  if (isJson && text.startsWith('{"status":')) {
    const { statusCode } = JSON.parse(text) as { statusCode?: unknown }
    // Interface section 2.1: it repeats the HTTP status.
    if (statusCode !== undefined) assert.equal(statusCode, status)
  }
}
