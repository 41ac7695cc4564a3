// Anything thrown on the way of a request becomes an operating error. What nobody expected becomes
// "something went wrong": the text of a library or database error may quote the request, other rows
// or the query, so it goes to the log only.

import { explainDatabaseTrouble } from '../db/database.ts'
import { readErrorCode } from '../db/trouble-codes.ts'
import { internalTrouble, mediaTypeNotTaken, pathTooLong, requestNotValid } from '../errors.ts'
import { OperatingError } from '../operating-error.ts'

export function explainTrouble(error: unknown): OperatingError {
  const known = explainDatabaseTrouble(error)
  return known instanceof OperatingError ? known : internalTrouble(error)
}

/**
 * What Fastify refuses before or beside a route of ours; the media types are those of the route, if
 * there is one.
 */
export function explainFrameworkTrouble(
  error: unknown,
  consumes: readonly string[],
): OperatingError {
  switch (readErrorCode(error) ?? '') {
    case 'FST_ERR_BAD_URL':
      return requestNotValid(
        'The path is not valid: a % must be followed by two hexadecimal digits, and the bytes must be UTF-8.',
      )
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return pathTooLong()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return mediaTypeNotTaken(consumes)
    default:
      return explainTrouble(error)
  }
}
