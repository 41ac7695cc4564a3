// Operating errors of erasures, exports and legal holds. See docs/reference/errors.md.

import { defineErrors, retryAfter } from '../../kernel/define-errors.ts'

export const {
  erasureNotValid,
  erasureOfUser,
  exportNotValid,
  erasureNotFound,
  erasureLogNotWritable,
  rawSearchBusy,
  erasureLogNotReadable,
  caseIsOnLegalHold,
  eventUnderLegalHold,
  caseIsNotOnLegalHold,
} = defineErrors({
  erasureNotValid: [
    400,
    'CASEWORK_ERASURE_NOT_VALID',
    (path: string, reason: string) => ({
      text: 'Only e-mail addresses can be erased, and earlier erasures repeated. Nothing was changed.',
      fields: [{ path, reason }],
    }),
  ],
  erasureOfUser: [
    409,
    'CASEWORK_ERASURE_OF_USER',
    (path: string) => ({
      text: 'By this address a user of this tenant signs in, so it cannot be erased. Take the user out of the tenant first (DELETE /beta/admin/users/{userId}), which forgets name, address and password; then erase the address. Nothing was changed.',
      fields: [{ path, reason: 'is the address of a user of this tenant' }],
    }),
  ],
  exportNotValid: [
    400,
    'CASEWORK_EXPORT_NOT_VALID',
    {
      text: 'An export needs the e-mail address of the person.',
      fields: [{ path: '/address', reason: 'is no e-mail address' }],
    },
  ],
  erasureNotFound: [
    404,
    'CASEWORK_ERASURE_NOT_FOUND',
    'There is no erasure of this id; GET /beta/casework/erasures lists them.',
  ],
  erasureLogNotWritable: [
    503,
    'CASEWORK_ERASURE_LOG_NOT_WRITABLE',
    (file: string, cause: unknown) => ({
      text: 'The erasure is done, but could not be written to the log of erasures, from which it is repeated after a restore. The log of the service says why. Send the request again after the cause is repaired.',
      cause: new Error(`${file} cannot be written`, { cause }),
    }),
  ],
  rawSearchBusy: [
    503,
    'CASEWORK_RAW_SEARCH_BUSY',
    'Too many erasures and privacy exports search the raw reports of this node at the moment. Send the request again shortly; it continues where it ended.',
    retryAfter(5),
  ],
  /** `reason`, in the middle of a sentence. */
  erasureLogNotReadable: [
    500,
    'CASEWORK_ERASURE_LOG_NOT_READABLE',
    (file: string, reason: string) =>
      `${file} cannot be read as a log of erasures (${reason}); nothing was changed.`,
  ],
  caseIsOnLegalHold: [
    409,
    'CASEWORK_CASE_IS_HELD',
    'The case is on legal hold already; GET /beta/casework/legal-holds says why.',
  ],
  eventUnderLegalHold: [
    409,
    'CASEWORK_EVENT_IS_HELD',
    'The case of this event is on legal hold, so the event stays in it; GET /beta/casework/legal-holds says why.',
  ],
  caseIsNotOnLegalHold: [409, 'CASEWORK_CASE_IS_NOT_HELD', 'The case is not on legal hold.'],
})
