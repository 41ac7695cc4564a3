// The response envelope of the threat-intelligence group (interface section 2.1 and 7).

import { type TSchema, Type } from 'typebox'
import { nameAfter, named } from './named-schema.ts'

const ENDINGS = { 200: 'Answer', 201: 'CreatedAnswer', 202: 'AcceptedAnswer' } as const

/** `{status: success, statusCode, result}`; `statusCode` repeats the HTTP status. */
export function successOf<Result extends TSchema>(result: Result, status: 200 | 201 | 202 = 200) {
  const envelope = Type.Object({
    status: Type.Literal('success'),
    statusCode: Type.Literal(status),
    result,
  })
  return nameAfter(result, ENDINGS[status], envelope)
}

/**
 * `{status: partial_success, statusCode: 503, result, errors: {}}`: the whole shape, without the
 * members that enrichment could not find.
 */
export function partialSuccessOf<Result extends TSchema>(result: Result) {
  const envelope = Type.Object({
    status: Type.Literal('partial_success'),
    statusCode: Type.Literal(503),
    result,
    errors: Type.Object({}),
  })
  return nameAfter(result, 'PartialAnswer', envelope)
}

/** Every failure of the group, whatever its status: one sentence under `$`. */
export const FailureEnvelope = named(
  'FailureEnvelope',
  Type.Object({
    status: Type.Literal('failure'),
    statusCode: Type.Integer({ description: 'Repeats the HTTP status.' }),
    errors: Type.Object({
      $: Type.String({ description: 'The reason and the remedy, in one sentence.' }),
    }),
  }),
)
