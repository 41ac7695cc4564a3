// Rules that hold for every answer of the program. The test programs check them for each answer
// that any test receives, so that no route and no refusal is left out.

import assert from 'node:assert/strict'

const SECURITY_HEADER_NAMES = [
  'x-content-type-options',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
]

interface AnyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

const PROBLEM = /^[A-Z]+(?:_[A-Z0-9]+)+(?:; field=[A-Za-z0-9/_.~%-]+)?$/

export function assertAnswerRules({ status, headers, text }: AnyAnswer): void {
  for (const name of SECURITY_HEADER_NAMES) assert.ok(headers[name], `${name} is missing`)
  const problem = headers['casework-problem']
  if (status < 400) assert.equal(problem, undefined, `${status} names a problem`)
  else assert.match(typeof problem === 'string' ? problem : '', PROBLEM, `${status} ${text}`)
  const type = headers['content-type']
  const isJson = typeof type === 'string' && type.startsWith('application/json')
  if (isJson && text.startsWith('{"status":')) {
    const { statusCode } = JSON.parse(text) as { statusCode?: unknown }
    // Interface section 2.1: it repeats the HTTP status.
    if (statusCode !== undefined) assert.equal(statusCode, status)
  }
}
