// A call that has no result, as the model reads it: the code and the sentence of the service, the
// place that is wrong, and the id under which the log of the service has the request.

import { CaseworkError } from '../client/client.ts'
import { takeCharacters } from './mark-untrusted.ts'
import type { CallToolResult } from './sdk.ts'

export interface WrongLocation {
  readonly path: string
  readonly reason: string
}

/** A refusal that the service was not asked for. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  readonly code: string
  readonly places: readonly WrongLocation[]

  constructor(code: string, message: string, places: readonly WrongLocation[] = []) {
    super(message)
    this.code = code
    this.places = places
  }
}

export function refuseArguments(places: readonly WrongLocation[]): ToolRefusal {
  return new ToolRefusal('MCP_ARGUMENTS_NOT_VALID', 'The arguments are not valid.', places)
}

interface FailureText {
  readonly code: string | null
  readonly status?: number
  readonly message: string
  readonly field: string | null
  readonly reason?: string | null
  readonly locations: readonly WrongLocation[]
  readonly request_id?: string | null
  readonly retry_after_seconds?: number | null
}

// A sentence is short; a service behind a broken proxy may answer with a page.
const SENTENCE_CHARACTERS = 2_000
const PLACES_MAX = 20

/** Null for an error that is no refusal: a fault of the program. */
export function presentFailure(error: unknown): CallToolResult | null {
  const failure = describeFailure(error)
  if (failure === null) return null
  return {
    isError: true,
    content: [{ type: 'text', text: writeSentence(failure) }],
    structuredContent: { error: failure },
  }
}

function describeFailure(error: unknown): FailureText | null {
  if (error instanceof ToolRefusal) {
    const { code, message, places } = error
    return { code, message, field: places[0]?.path ?? null, locations: places.slice(0, PLACES_MAX) }
  }
  if (!(error instanceof CaseworkError)) return null
  return {
    code: error.code,
    status: error.status,
    message: takeCharacters(error.message, SENTENCE_CHARACTERS),
    field: error.field,
    reason: error.reason,
    locations: error.locations.slice(0, PLACES_MAX).map(({ path, reason }) => ({ path, reason })),
    request_id: error.requestId,
    retry_after_seconds: error.retryAfterSeconds,
  }
}

function writeSentence(failure: FailureText): string {
  const { code, status, message, field, reason, locations, request_id: requestId } = failure
  const facts = [
    code === null ? null : `code ${code}`,
    status === undefined || status === 0 ? null : `status ${status}`,
    field === null ? null : `field ${field}`,
    typeof reason === 'string' ? `reason ${reason}` : null,
    typeof requestId === 'string' ? `request id ${requestId}` : null,
    typeof failure.retry_after_seconds === 'number'
      ? `retry after ${failure.retry_after_seconds} s`
      : null,
  ].filter((fact) => fact !== null)
  const places = locations.map(({ path, reason: why }) => `${path}: ${why}`).join('; ')
  return `${message}${places === '' ? '' : ` ${places}.`}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}
