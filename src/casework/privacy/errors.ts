// Operating errors of erasures and legal holds. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'

export function erasureNotValid(path: string, reason: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ERASURE_NOT_VALID',
    status: 400,
    publicMessage:
      'Only e-mail addresses can be erased, and an erasure repeated; nothing was changed.',
    fields: [{ path, reason }],
  })
}

export function exportNotValid(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_EXPORT_NOT_VALID',
    status: 400,
    publicMessage: 'What is held about a person is found by an e-mail address.',
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
      'The erasure is done, and could not be noted in the log of erasures, from which it is repeated after a restore; the log of the service says why. Send the request again when that is mended.',
    cause: new Error(`${file} cannot be written`, { cause }),
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
    publicMessage:
      'A legal hold is on this case already; GET /beta/casework/legal-holds tells why.',
  })
}

export function eventIsHeld(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_EVENT_IS_HELD',
    status: 409,
    publicMessage:
      'A legal hold is on the case of this event, which stays in it; GET /beta/casework/legal-holds tells why.',
  })
}

export function caseIsNotOnLegalHold(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_IS_NOT_HELD',
    status: 409,
    publicMessage: 'No legal hold is on this case.',
  })
}
