// What an error of the database means for the service: the SQLSTATE of the server, the code of the
// operating system, or the message of the driver. PostgreSQL's manual, appendix A, lists the codes.

export type TroubleKind =
  /** Other transactions changed the same rows. Nothing was done, and it may simply run again. */
  | 'conflict'
  /** The server is not there, does not let us in, or has cut the connection. */
  | 'unreachable'
  /** A standby, or a server that was switched to read only. */
  | 'read_only'
  | 'disk_full'
  /** The server ended the statement for its time, its locks or its memory. */
  | 'gave_up'

const KIND_OF_CODE: ReadonlyMap<string, TroubleKind> = new Map(
  Object.entries({
    conflict: ['40001', '40P01'],
    unreachable: [
      'EADDRNOTAVAIL',
      'EAI_AGAIN',
      'ECONNABORTED',
      'ECONNREFUSED',
      'ECONNRESET',
      'EHOSTDOWN',
      'EHOSTUNREACH',
      'ENETDOWN',
      'ENETRESET',
      'ENETUNREACH',
      'ENOENT', // the socket of a local database
      'ENOTFOUND',
      'EPIPE',
      'ETIMEDOUT',
      '25P03', // idle_in_transaction_session_timeout: the server has ended the session
      '25P04', // transaction_timeout: the same
      '28000', // invalid_authorization_specification: the rights of a running service changed
      '28P01', // invalid_password
      '3D000', // invalid_catalog_name: the database was renamed
      '53300', // too_many_connections
      '57P01', // admin_shutdown
      '57P02', // crash_shutdown
      '57P03', // cannot_connect_now
      '57P04', // database_dropped
      '57P05', // idle_session_timeout
    ],
    read_only: ['25006'],
    disk_full: ['53100', 'ENOSPC', 'EDQUOT'],
    gave_up: [
      '53000', // insufficient_resources
      '53200', // out_of_memory
      '53400', // configuration_limit_exceeded
      '55P03', // lock_not_available
      '57014', // query_canceled: statement_timeout, or an administrator
      '58030', // io_error
    ],
  } satisfies Record<TroubleKind, readonly string[]>).flatMap(([kind, codes]) =>
    // `satisfies` above has checked the names.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    codes.map((code) => [code, kind as TroubleKind] as const),
  ),
)

// connection_exception and its subclasses. Poolers use 08P01 for all their own troubles.
const CONNECTION_CLASS = /^08[0-9A-Z]{3}$/

// A coordinator of Citus says so of a worker, or of its own connection to one, that ended under
// a statement. The code is that of an internal error.
const INTERNAL_ERROR = 'XX000'
const LOST_WORKER =
  /connection to the remote node|failure on connection marked as essential|server closed the connection|no connection to the server|connection not open|could not (?:receive|send) data|SSL SYSCALL error|SSL connection has been closed|lost connection|terminating connection/

// The driver's own errors have no code.
const UNREACHABLE_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client was closed|not queryable|after calling end on the pool/

/** The SQLSTATE or system code of a driver error, or null. */
export function readErrorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** True for a row whose key another row has, be it one that was written at the same time. */
export function isKeyTaken(error: unknown): boolean {
  return readErrorCode(error) === '23505' // unique_violation
}

/** Null for an error that says nothing of the state of the database, such as a wrong statement. */
export function classifyTrouble(error: unknown): TroubleKind | null {
  const code = readErrorCode(error)
  if (code !== null) {
    if (code === INTERNAL_ERROR && error instanceof Error && LOST_WORKER.test(error.message)) {
      return 'unreachable'
    }
    return KIND_OF_CODE.get(code) ?? (CONNECTION_CLASS.test(code) ? 'unreachable' : null)
  }
  return error instanceof Error && UNREACHABLE_MESSAGES.test(error.message) ? 'unreachable' : null
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ECONNRESET: 'it cuts the connection',
  EACCES: 'this account may not open its socket',
  '28P01': 'it refuses the user or the password',
  '28000': 'it refuses the user or the password',
  '3D000': 'it has no database of that name',
  '42501': 'its user may not create tables there',
  '53100': 'its disk is full',
  '53300': 'it has no connection left',
  '57P03': 'it is starting or stopping',
  '25006': 'it takes no writes',
}

// The whole message, since a server may name a parameter such as statement_timeout in its own.
const SILENCE =
  /^(?:timeout expired|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/

/**
 * Why a database cannot be used, as the end of a sentence that names it; without credentials. Null
 * when the error is not one of connecting.
 */
export function findConnectionReason(error: unknown): string | null {
  const code = readErrorCode(error)
  const known = REASONS[code ?? '']
  if (known !== undefined) return known
  if (!(error instanceof Error)) return null
  // Such a message comes from the server or its pooler, which know no password of ours.
  if (code !== null && CONNECTION_CLASS.test(code)) return `it answers "${error.message}"`
  if (code !== null) return null
  if (SILENCE.test(error.message)) return 'it does not answer'
  if (/Connection terminated/.test(error.message)) return 'it cuts the connection'
  if (/password/i.test(error.message)) return 'it wants a password'
  if (/SSL|certificate/.test(error.message)) return `its encryption: ${error.message}`
  return null
}
