// Catalogue of the kernel's operating errors: configuration, start-up, credentials, HTTP. See
// docs/reference/errors.md.

import type { FieldProblem } from '../values/field-problem.ts'
import { defineErrors, retryAfter } from './define-errors.ts'
import { OperatingError } from './operating-error.ts'

export const {
  settingsNotUsable,
  secretKeyMissing,
  schemaIsNewer,
  migrationWasEdited,
  databaseNotReachable,
  databaseBusy,
  databaseReadOnly,
  diskFull,
  databaseGaveUp,
  tokensTooOld,
  credentialMissing,
  credentialNotValid,
  networkNotAllowed,
  bodiesTooMany,
  sessionNotLive,
  credentialNotReadable,
  scopeMissing,
  nodeNotReady,
  tooManyRequests,
  requestNotValid,
  routeNotFound,
  methodNotAllowed,
  bodyTooLarge,
  pathTooLong,
  mediaTypeNotTaken,
  contentEncodingNotTaken,
  bodyTooSlow,
  headersTooLarge,
  internalTrouble,
  socketFolderTooDeep,
  filterNotValid,
  cursorNotValid,
  idempotencyKeyNotValid,
  idempotencyKeyReused,
} = defineErrors({
  settingsNotUsable: [
    500,
    'KERNEL_SETTINGS_NOT_USABLE',
    (problems: readonly string[]) => problems.join('\n'),
  ],
  /** `keyId` is of the key that sealed the secret; null when this process has no key at all. */
  secretKeyMissing: [
    503,
    'KERNEL_SECRET_KEY_MISSING',
    (keyId: string | null) =>
      keyId === null
        ? 'This server has no key for secrets; its operator sets CASEWORK_SECRET_KEY.'
        : `A stored secret needs the key ${keyId}, which this server does not have; its operator adds it to CASEWORK_SECRET_KEY.`,
  ],
  schemaIsNewer: [
    500,
    'KERNEL_SCHEMA_IS_NEWER',
    (databaseVersion: number, programVersion: number) =>
      `The database is at schema version ${databaseVersion}, this program knows ${programVersion} only; start the newer program, or restore a backup that was taken before the upgrade.`,
  ],
  migrationWasEdited: [
    500,
    'KERNEL_MIGRATION_WAS_EDITED',
    (name: string) =>
      `The migration ${name} differs from the one that this database was made with; start the program that made it, or take a backup with that one and restore it into an empty folder with this one.`,
  ],
  // The sentence does not promise that nothing was changed: the connection may be lost between a
  // commit and its answer.
  databaseNotReachable: [
    503,
    'KERNEL_DATABASE_NOT_REACHABLE',
    (cause: unknown) => ({
      text: 'The database cannot be reached at the moment; try again shortly.',
      cause,
    }),
    retryAfter(5),
  ],
  /**
   * Every attempt of a transaction conflicted with others over the same rows. The last one was
   * rolled back too.
   */
  databaseBusy: [
    503,
    'KERNEL_DATABASE_BUSY',
    (cause: unknown) => ({
      text: 'Other requests kept changing the same records. Nothing was changed; try again shortly.',
      cause,
    }),
    retryAfter(1),
  ],
  /** A standby, as a primary becomes by a failover, or a server that was switched to read only. */
  databaseReadOnly: [
    503,
    'KERNEL_DATABASE_READ_ONLY',
    (cause: unknown) => ({
      text: 'The database takes no writes at the moment; reading still works. Try again shortly.',
      cause,
    }),
    retryAfter(5),
  ],
  diskFull: [
    503,
    'KERNEL_DISK_FULL',
    (cause: unknown) => ({
      text: 'The disk of the database is full, so nothing can be stored; try again later.',
      cause,
    }),
    retryAfter(60),
  ],
  /** The server ended the statement: a time limit, a lock, its memory, or an administrator. */
  databaseGaveUp: [
    503,
    'KERNEL_DATABASE_GAVE_UP',
    (cause: unknown) => ({
      text: 'The database gave this request up, because it took too long or the database is short of memory; try again shortly, or ask for less at once.',
      cause,
    }),
    retryAfter(5),
  ],
  /**
   * The copy of the tokens in memory may miss a revocation, so it is not trusted for longer than
   * CASEWORK_TOKEN_AGE_MAX.
   */
  tokensTooOld: [
    503,
    'KERNEL_TOKENS_TOO_OLD',
    'The database has not been reached for so long that tokens cannot be checked; try again shortly.',
    retryAfter(5),
  ],
  /** RFC 6750 section 3.1: without any credential the challenge carries no error code. */
  credentialMissing: [
    401,
    'KERNEL_CREDENTIAL_MISSING',
    'A credential is needed: send "Authorization: Bearer <token>".',
    { 'www-authenticate': 'Bearer realm="casework"' },
  ],
  credentialNotValid: [
    401,
    'KERNEL_CREDENTIAL_NOT_VALID',
    'The credential is unknown, expired or revoked; use a valid API token.',
    {
      'www-authenticate':
        'Bearer realm="casework", error="invalid_token", error_description="The token is unknown, expired or revoked"',
    },
  ],
  /** The credential is good, but not from here: it is bound to networks. */
  networkNotAllowed: [
    403,
    'KERNEL_NETWORK_NOT_ALLOWED',
    'This token may not be used from your address.',
  ],
  /** Bodies on their way take all the memory that they may have. */
  bodiesTooMany: [
    503,
    'KERNEL_BODIES_TOO_MANY',
    'Too many request bodies are on their way; try again shortly.',
    retryAfter(1),
  ],
  /** Of a cookie: ended, idle for too long, or its user may no longer sign in. */
  sessionNotLive: [
    401,
    'KERNEL_SESSION_NOT_LIVE',
    'The session is over; sign in again.',
    { 'www-authenticate': 'Bearer realm="casework"' },
  ],
  credentialNotReadable: [
    400,
    'KERNEL_CREDENTIAL_NOT_READABLE',
    'Send exactly one credential: either "Authorization: Bearer <token>" or "x-api-key".',
    {
      'www-authenticate':
        'Bearer realm="casework", error="invalid_request", error_description="Send exactly one credential"',
    },
  ],
  scopeMissing: [
    403,
    'KERNEL_SCOPE_MISSING',
    (scope: string) => ({
      text: `This token lacks the scope ${scope}.`,
      headers: {
        'www-authenticate': `Bearer realm="casework", error="insufficient_scope", scope="${scope}"`,
      },
    }),
  ],
  /** Names the answer of a node that is starting or stopping, or whose checks fail. */
  nodeNotReady: [
    503,
    'KERNEL_NODE_NOT_READY',
    'This node cannot answer at the moment; the checks of GET /readyz say why.',
  ],
  tooManyRequests: [
    429,
    'KERNEL_TOO_MANY_REQUESTS',
    (retryAfterSeconds: number) => ({
      text: `Too many requests; try again in ${retryAfterSeconds} s.`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  ],
  requestNotValid: [
    400,
    'KERNEL_REQUEST_NOT_VALID',
    (publicMessage: string, fields: readonly FieldProblem[] = [], cause?: unknown) => ({
      text: publicMessage,
      fields,
      cause,
    }),
  ],
  routeNotFound: [
    404,
    'KERNEL_ROUTE_NOT_FOUND',
    'There is no endpoint at this path; GET /openapi.json lists all paths.',
  ],
  methodNotAllowed: [
    405,
    'KERNEL_METHOD_NOT_ALLOWED',
    (allowed: readonly string[]) => ({
      text: `This path answers ${allowed.join(', ')} only.`,
      headers: { allow: allowed.join(', ') },
    }),
  ],
  bodyTooLarge: [
    413,
    'KERNEL_BODY_TOO_LARGE',
    'The body is larger than this path accepts; send it in smaller parts.',
  ],
  pathTooLong: [414, 'KERNEL_PATH_TOO_LONG', 'A part of the path is too long.'],
  mediaTypeNotTaken: [
    415,
    'KERNEL_MEDIA_TYPE_NOT_TAKEN',
    (taken: readonly string[]) =>
      `This path accepts ${taken.join(', ')}; name it in the Content-Type header.`,
  ],
  /** RFC 9110 section 15.5.16: `Accept-Encoding` in the answer lists the accepted encodings. */
  contentEncodingNotTaken: [
    415,
    'KERNEL_CONTENT_ENCODING_NOT_TAKEN',
    'Compressed bodies are not accepted; send the body uncompressed, without Content-Encoding.',
    { 'accept-encoding': 'identity' },
  ],
  bodyTooSlow: [
    408,
    'KERNEL_BODY_TOO_SLOW',
    'The request took too long to arrive.',
    { connection: 'close' },
  ],
  headersTooLarge: [
    431,
    'KERNEL_HEADERS_TOO_LARGE',
    'The request line and headers are larger than 16 KiB or too many.',
    { connection: 'close' },
  ],
  /** The answer to an unexpected error: nothing but where to find the cause. */
  internalTrouble: [
    500,
    'KERNEL_INTERNAL_TROUBLE',
    (cause: unknown) => ({
      text: 'The request failed because of a fault in the service; the log holds the reason under this request id.',
      cause,
    }),
  ],
  socketFolderTooDeep: [
    500,
    'KERNEL_SOCKET_FOLDER_TOO_DEEP',
    (path: string, bytesMax: number) =>
      `A socket in ${path} would need a path of more than ${bytesMax} bytes; set CASEWORK_DATA_DIR to a shorter one.`,
  ],
  filterNotValid: [
    400,
    'CASEWORK_FILTER_NOT_VALID',
    (problem: FieldProblem) => ({ text: 'A query parameter is not valid.', fields: [problem] }),
  ],
  cursorNotValid: [
    400,
    'CASEWORK_CURSOR_NOT_VALID',
    {
      text: 'This cursor does not belong to this list; send next_cursor unchanged, with the same filters, sort and order, or start without a cursor.',
      fields: [{ path: '/cursor', reason: 'is not one of this list' }],
    },
  ],
  idempotencyKeyNotValid: [
    400,
    'CASEWORK_IDEMPOTENCY_KEY_NOT_VALID',
    {
      text: 'The Idempotency-Key header takes 1 to 255 printable ASCII characters, once.',
      fields: [{ path: 'Idempotency-Key', reason: 'must be 1 to 255 printable ASCII characters' }],
    },
  ],
  idempotencyKeyReused: [
    422,
    'CASEWORK_IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request within 24 hours; choose a new one.',
    { 'casework-reason': 'key_reused' },
  ],
})

const UNUSABLE_FOLDER_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its symbolic links go in circles',
}

// Primary result codes of SQLite, which locks the folder (sqlite.org/rescode.html). An extended
// code has its primary one in the lowest byte.
const SYSTEM_CODE_OF_SQLITE: Readonly<Record<number, string>> = {
  8: 'EROFS',
  13: 'ENOSPC',
  14: 'EACCES',
}

function readSystemCode(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  if ('errcode' in cause && typeof cause.errcode === 'number') {
    return SYSTEM_CODE_OF_SQLITE[cause.errcode % 256] ?? cause.message
  }
  return 'code' in cause ? String(cause.code) : 'unknown'
}

/** The operator reads errors of the start, so the reason of the system is named. */
export function dataFolderNotUsable(path: string, cause: unknown): OperatingError {
  const code = readSystemCode(cause)
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const remedy = isFull ? 'make room there' : 'make it writable for this account'
  return new OperatingError({
    code: 'KERNEL_DATA_FOLDER_NOT_USABLE',
    status: 500,
    publicMessage: `The data folder ${path} cannot be used: ${UNUSABLE_FOLDER_REASONS[code] ?? `the system says ${code}`}; ${remedy}, or set CASEWORK_DATA_DIR to a folder that is.`,
    cause,
  })
}

export function dataFolderInUse(path: string, pid: number | null): OperatingError {
  const holder = pid === null ? 'another casework' : `another casework (process ${pid})`
  return new OperatingError({
    code: 'KERNEL_DATA_FOLDER_IN_USE',
    status: 500,
    publicMessage: `The data folder ${path} is in use by ${holder}; stop that one first, or set CASEWORK_DATA_DIR to another folder.`,
  })
}
