// Operating errors of erasures, exports and legal holds. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'

export function erasureNotValid(path: string, reason: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ERASURE_NOT_VALID',
    status: 400,
    publicMessage:
      'Only e-mail addresses can be erased, and earlier erasures repeated. Nothing was changed.',
    fields: [{ path, reason }],
  })
}

export function erasureOfUser(path: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ERASURE_OF_USER',
    status: 409,
    publicMessage:
      'By this address a user of this tenant signs in, so it cannot be erased. Take the user out of the tenant first (DELETE /beta/admin/users/{userId}), which forgets name, address and password; then erase the address. Nothing was changed.',
    fields: [{ path, reason: 'is the address of a user of this tenant' }],
  })
}

export function exportNotValid(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_EXPORT_NOT_VALID',
    status: 400,
    publicMessage: 'An export needs the e-mail address of the person.',
    fields: [{ path: '/address', reason: 'is no e-mail address' }],
  })
}

export function erasureNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ERASURE_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no erasure of this id; GET /beta/casework/erasures lists them.',
  })
}

export function erasureLogNotWritable(file: string, cause: unknown): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ERASURE_LOG_NOT_WRITABLE',
    status: 503,
    publicMessage:
      'The erasure is done, but could not be written to the log of erasures, from which it is repeated after a restore. The log of the service says why. Send the request again after the cause is repaired.',
    cause: new Error(`${file} cannot be written`, { cause }),
  })
}

export function rawSearchBusy(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_RAW_SEARCH_BUSY',
    status: 503,
    publicMessage:
      'Too many erasures and privacy exports search the raw reports of this node at the moment. Send the request again shortly; it continues where it ended.',
    headers: { 'retry-after': '5' },
  })
}

/** `reason`, in the middle of a sentence. */
export function erasureLogNotReadable(file: string, reason: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ERASURE_LOG_NOT_READABLE',
    status: 500,
    publicMessage: `${file} cannot be read as a log of erasures (${reason}); nothing was changed.`,
  })
}

export function caseIsOnLegalHold(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_IS_HELD',
    status: 409,
    publicMessage: 'The case is on legal hold already; GET /beta/casework/legal-holds says why.',
  })
}

export function eventUnderLegalHold(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_EVENT_IS_HELD',
    status: 409,
    publicMessage:
      'The case of this event is on legal hold, so the event stays in it; GET /beta/casework/legal-holds says why.',
  })
}

export function caseIsNotOnLegalHold(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_IS_NOT_HELD',
    status: 409,
    publicMessage: 'The case is not on legal hold.',
  })
}
