// The answer of success in the threat-intelligence group (interface section 2.1). The envelope and
// the response have their status from here, so that they cannot differ.

import type { Reply } from './route.ts'

export interface SuccessEnvelope {
  readonly status: 'success'
  readonly statusCode: number
  readonly result: unknown
}

export interface SuccessOptions {
  readonly status?: 200 | 201 | 202
  readonly headers?: Readonly<Record<string, string>>
}

export function answerSuccess(
  result: unknown,
  { status = 200, headers }: SuccessOptions = {},
): Reply {
  const json = presentSuccess(result, status)
  return headers === undefined ? { status, json } : { status, json, headers }
}

export function presentSuccess(result: unknown, status: number): SuccessEnvelope {
  return { status: 'success', statusCode: status, result }
}
