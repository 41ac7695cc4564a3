// Examples of the endpoints for the reference; a test holds them against the schemas. Names and
// addresses are those that RFC 2606, 5737 and 3849 set aside. A documentation address is a bogon,
// and no AS announces it.

import type { Route } from '../kernel/http/route.ts'
import { readResource } from '../values/resources.ts'

export interface OperationExamples {
  readonly request?: unknown
  readonly responses?: Readonly<Record<number, unknown>>
}

interface RecordedExamples {
  readonly request?: unknown
  readonly answers?: Readonly<Record<string, unknown>>
}

// By method and path.
let written: Readonly<Record<string, OperationExamples>> | null = null
// By operation; scripts/record-examples.ts makes them of requests to the running service.
let recorded: Readonly<Record<string, RecordedExamples>> | null = null

/** Those that are written by hand; undefined for most additions. */
export function findOwnExamples(method: string, path: string): OperationExamples | undefined {
  written ??= JSON.parse(readResource('openapi-examples.json'))
  return written?.[`${method} ${path}`]
}

/** The examples of a route: what is written by hand goes before what was recorded. */
export function findExamples(
  route: Pick<Route, 'method' | 'path' | 'operationId'>,
): OperationExamples {
  recorded ??= JSON.parse(readResource('operation-examples.json'))
  const own = findOwnExamples(route.method, route.path)
  const { request, answers } = recorded?.[route.operationId] ?? {}
  const shown = own?.request ?? request
  return {
    ...(shown === undefined ? {} : { request: shown }),
    responses: { ...answers, ...own?.responses },
  }
}
