// Catalogue of the kernel's operating errors: configuration, start-up, credentials, HTTP. See
// docs/reference/errors.md.

import type { FieldProblem } from '../values/field-problem.ts'
import { OperatingError } from './operating-error.ts'

export function settingsNotUsable(problems: readonly string[]): OperatingError {
  return new OperatingError({
    code: 'KERNEL_SETTINGS_NOT_USABLE',
    status: 500,
    publicMessage: problems.join('\n'),
  })
}

/** `keyId` is of the key that sealed the secret; null when this process has no key at all. */
export function secretKeyMissing(keyId: string | null): OperatingError {
  return new OperatingError({
    code: 'KERNEL_SECRET_KEY_MISSING',
    status: 503,
    publicMessage:
      keyId === null
        ? 'This server has no key for secrets; its operator sets CASEWORK_SECRET_KEY.'
        : `A stored secret needs the key ${keyId}, which this server does not have; its operator adds it to CASEWORK_SECRET_KEY.`,
  })
}

export function schemaIsNewer(databaseVersion: number, programVersion: number): OperatingError {
  return new OperatingError({
    code: 'KERNEL_SCHEMA_IS_NEWER',
    status: 500,
    publicMessage: `The database is at schema version ${databaseVersion}, this program knows ${programVersion} only; start the newer program, or restore a backup that was taken before the upgrade.`,
  })
}

export function migrationWasEdited(name: string): OperatingError {
  return new OperatingError({
    code: 'KERNEL_MIGRATION_WAS_EDITED',
    status: 500,
    publicMessage: `The migration ${name} differs from the one that this database was made with; start the program that made it, or take a backup with that one and restore it into an empty folder with this one.`,
  })
}

export function databaseNotReachable(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'KERNEL_DATABASE_NOT_REACHABLE',
    status: 503,
    // The sentence does not promise that nothing was changed: the connection may be lost between a
    // commit and its answer.
    publicMessage: 'The database cannot be reached at the moment; try again shortly.',
    headers: { 'retry-after': '5' },
    cause,
  })
}

/**
 * Every attempt of a transaction conflicted with others over the same rows. The last one was rolled
 * back too.
 */
export function databaseBusy(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'KERNEL_DATABASE_BUSY',
    status: 503,
    publicMessage:
      'Other requests kept changing the same records. Nothing was changed; try again shortly.',
    headers: { 'retry-after': '1' },
    cause,
  })
}

/** A standby, as a primary becomes by a failover, or a server that was switched to read only. */
export function databaseReadOnly(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'KERNEL_DATABASE_READ_ONLY',
    status: 503,
    publicMessage:
      'The database takes no writes at the moment; reading still works. Try again shortly.',
    headers: { 'retry-after': '5' },
    cause,
  })
}

export function diskFull(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'KERNEL_DISK_FULL',
    status: 503,
    publicMessage: 'The disk of the database is full, so nothing can be stored; try again later.',
    headers: { 'retry-after': '60' },
    cause,
  })
}

/** The server ended the statement: a time limit, a lock, its memory, or an administrator. */
export function databaseGaveUp(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'KERNEL_DATABASE_GAVE_UP',
    status: 503,
    publicMessage:
      'The database gave this request up, because it took too long or the database is short of memory; try again shortly, or ask for less at once.',
    headers: { 'retry-after': '5' },
    cause,
  })
}

/**
 * The copy of the tokens in memory may miss a revocation, so it is not trusted for longer than
 * CASEWORK_TOKEN_AGE_MAX.
 */
export function tokensTooOld(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_TOKENS_TOO_OLD',
    status: 503,
    publicMessage:
      'The database has not been reached for so long that tokens cannot be checked; try again shortly.',
    headers: { 'retry-after': '5' },
  })
}

/** RFC 6750 section 3.1: without any credential the challenge carries no error code. */
export function credentialMissing(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_CREDENTIAL_MISSING',
    status: 401,
    publicMessage: 'A credential is needed: send "Authorization: Bearer <token>".',
    headers: { 'www-authenticate': 'Bearer realm="casework"' },
  })
}

export function credentialNotValid(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_CREDENTIAL_NOT_VALID',
    status: 401,
    publicMessage: 'The credential is unknown, expired or revoked; use a valid API token.',
    headers: {
      'www-authenticate':
        'Bearer realm="casework", error="invalid_token", error_description="The token is unknown, expired or revoked"',
    },
  })
}

/** The credential is good, but not from here: it is bound to networks. */
export function networkNotAllowed(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_NETWORK_NOT_ALLOWED',
    status: 403,
    publicMessage: 'This token may not be used from your address.',
  })
}

/** Bodies on their way take all the memory that they may have. */
export function bodiesTooMany(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_BODIES_TOO_MANY',
    status: 503,
    publicMessage: 'Too many request bodies are on their way; try again shortly.',
    headers: { 'retry-after': '1' },
  })
}

/** Of a cookie: ended, idle for too long, or its user may no longer sign in. */
export function sessionNotLive(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_SESSION_NOT_LIVE',
    status: 401,
    publicMessage: 'The session is over; sign in again.',
    headers: { 'www-authenticate': 'Bearer realm="casework"' },
  })
}

export function credentialNotReadable(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_CREDENTIAL_NOT_READABLE',
    status: 400,
    publicMessage:
      'Send exactly one credential: either "Authorization: Bearer <token>" or "x-api-key".',
    headers: {
      'www-authenticate':
        'Bearer realm="casework", error="invalid_request", error_description="Send exactly one credential"',
    },
  })
}

export function scopeMissing(scope: string): OperatingError {
  return new OperatingError({
    code: 'KERNEL_SCOPE_MISSING',
    status: 403,
    publicMessage: `This token lacks the scope ${scope}.`,
    headers: {
      'www-authenticate': `Bearer realm="casework", error="insufficient_scope", scope="${scope}"`,
    },
  })
}

/** Names the answer of a node that is starting or stopping, or whose checks fail. */
export function nodeNotReady(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_NODE_NOT_READY',
    status: 503,
    publicMessage: 'This node cannot answer at the moment; the checks of GET /readyz say why.',
  })
}

export function tooManyRequests(retryAfterSeconds: number): OperatingError {
  return new OperatingError({
    code: 'KERNEL_TOO_MANY_REQUESTS',
    status: 429,
    publicMessage: `Too many requests; try again in ${retryAfterSeconds} s.`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

export function requestNotValid(
  publicMessage: string,
  fields: readonly FieldProblem[] = [],
  cause?: unknown,
): OperatingError {
  return new OperatingError({
    code: 'KERNEL_REQUEST_NOT_VALID',
    status: 400,
    publicMessage,
    fields,
    cause,
  })
}

export function routeNotFound(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_ROUTE_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no endpoint at this path; GET /openapi.json lists all paths.',
  })
}

export function methodNotAllowed(allowed: readonly string[]): OperatingError {
  return new OperatingError({
    code: 'KERNEL_METHOD_NOT_ALLOWED',
    status: 405,
    publicMessage: `This path answers ${allowed.join(', ')} only.`,
    headers: { allow: allowed.join(', ') },
  })
}

export function bodyTooLarge(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_BODY_TOO_LARGE',
    status: 413,
    publicMessage: 'The body is larger than this path accepts; send it in smaller parts.',
  })
}

export function pathTooLong(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_PATH_TOO_LONG',
    status: 414,
    publicMessage: 'A part of the path is too long.',
  })
}

export function mediaTypeNotTaken(taken: readonly string[]): OperatingError {
  return new OperatingError({
    code: 'KERNEL_MEDIA_TYPE_NOT_TAKEN',
    status: 415,
    publicMessage: `This path accepts ${taken.join(', ')}; name it in the Content-Type header.`,
  })
}

/** RFC 9110 section 15.5.16: `Accept-Encoding` in the answer lists the accepted encodings. */
export function contentEncodingNotTaken(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_CONTENT_ENCODING_NOT_TAKEN',
    status: 415,
    publicMessage:
      'Compressed bodies are not accepted; send the body uncompressed, without Content-Encoding.',
    headers: { 'accept-encoding': 'identity' },
  })
}

export function bodyTooSlow(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_BODY_TOO_SLOW',
    status: 408,
    publicMessage: 'The request took too long to arrive.',
    headers: { connection: 'close' },
  })
}

export function headersTooLarge(): OperatingError {
  return new OperatingError({
    code: 'KERNEL_HEADERS_TOO_LARGE',
    status: 431,
    publicMessage: 'The request line and headers are larger than 16 KiB or too many.',
    headers: { connection: 'close' },
  })
}

/** The answer to an unexpected error: nothing but where to find the cause. */
export function internalTrouble(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'KERNEL_INTERNAL_TROUBLE',
    status: 500,
    publicMessage:
      'The request failed because of a fault in the service; the log holds the reason under this request id.',
    cause,
  })
}

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

// Primary result codes of SQLite, which locks the folder (sqlite.org/rescode.html).
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

export function socketFolderTooDeep(path: string, bytesMax: number): OperatingError {
  return new OperatingError({
    code: 'KERNEL_SOCKET_FOLDER_TOO_DEEP',
    status: 500,
    publicMessage: `A socket in ${path} would need a path of more than ${bytesMax} bytes; set CASEWORK_DATA_DIR to a shorter one.`,
  })
}

export function filterNotValid(problem: FieldProblem): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_FILTER_NOT_VALID',
    status: 400,
    publicMessage: 'A query parameter is not valid.',
    fields: [problem],
  })
}

export function cursorNotValid(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CURSOR_NOT_VALID',
    status: 400,
    publicMessage:
      'This cursor does not belong to this list; send next_cursor unchanged, with the same filters, sort and order, or start without a cursor.',
    fields: [{ path: '/cursor', reason: 'is not one of this list' }],
  })
}

export function idempotencyKeyNotValid(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_IDEMPOTENCY_KEY_NOT_VALID',
    status: 400,
    publicMessage: 'The Idempotency-Key header takes 1 to 255 printable ASCII characters, once.',
    fields: [{ path: 'Idempotency-Key', reason: 'must be 1 to 255 printable ASCII characters' }],
  })
}

export function idempotencyKeyReused(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_IDEMPOTENCY_KEY_REUSED',
    status: 422,
    publicMessage:
      'This Idempotency-Key was used for another request within 24 hours; choose a new one.',
    headers: { 'casework-reason': 'key_reused' },
  })
}
