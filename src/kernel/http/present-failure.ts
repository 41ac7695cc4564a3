// Presents every failure. The intel group has its envelope (interface 2.1, 7). Endpoints 1 to 5 of
// the case group have no body, unless `Accept` names problem+json. All others have problem+json
// (RFC 9457). A header has the reason in every form. The cause of a failure never leaves the
// process.

import { STATUS_CODES } from 'node:http'
import type { OperatingError } from '../operating-error.ts'
import { namesMediaType } from './accept.ts'
import { formatProblem, PROBLEM_HEADER } from './problem-header.ts'
import type { RouteGroup } from './route.ts'

export interface FailureReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty for "no body". */
  readonly text: string
}

/** What decides the form of a failure. */
export interface FailureForm {
  readonly group: RouteGroup
  readonly failsWithoutBody: boolean
}

export interface FailureContext extends FailureForm {
  readonly accept: string | undefined
  readonly requestId: string
}

const PROBLEM_JSON = 'application/problem+json'

export function presentFailure(error: OperatingError, context: FailureContext): FailureReply {
  const { status } = error
  const headers = { ...error.headers, [PROBLEM_HEADER]: formatProblem(error) }
  if (context.group === 'intel') {
    const type = 'application/json; charset=utf-8'
    return { status, headers: { ...headers, 'content-type': type }, text: writeEnvelope(error) }
  }
  if (context.failsWithoutBody && !namesMediaType(context.accept, PROBLEM_JSON)) {
    return { status, headers, text: '' }
  }
  const text = writeProblem(error, context.requestId)
  return { status, headers: { ...headers, 'content-type': PROBLEM_JSON }, text }
}

function writeEnvelope(error: OperatingError): string {
  const first = error.fields[0]
  // One sentence in `$` (interface section 7); the place of the first fault belongs into it, since
  // there is no other member.
  const message =
    first === undefined
      ? error.publicMessage
      : `${error.publicMessage} ${first.path}: ${first.reason}`
  return JSON.stringify({ status: 'failure', statusCode: error.status, errors: { $: message } })
}

function writeProblem(error: OperatingError, requestId: string): string {
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.publicMessage,
    code: error.code,
    ...(error.fields.length > 0 ? { errors: error.fields } : {}),
    request_id: requestId,
  })
}

const CASEWORK_PREFIXES = ['/beta/casework', '/beta/ops']
const ADMIN_PREFIXES = ['/beta/admin', '/beta/session', '/beta/sessions', '/beta/whoami']

/**
 * The form of a failure at a path that matched no route, or of bytes that were no request: by the
 * prefix, so that each group keeps its own form. What has no known prefix fails in the envelope.
 */
export function guessFailureForm(path: string): FailureForm {
  const isBelow = (prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)
  if (CASEWORK_PREFIXES.some(isBelow)) return { group: 'casework', failsWithoutBody: true }
  if (ADMIN_PREFIXES.some(isBelow)) return { group: 'admin', failsWithoutBody: false }
  return { group: 'intel', failsWithoutBody: false }
}
