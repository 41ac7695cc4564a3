// DATABASE_URL with one host or several, as libpq writes them (PostgreSQL's manual, section
// 34.1.1): postgres://user:password@one.example:5432,two.example:5433/casework, with
// target_session_attrs=read-write. The driver knows one host only, so the list is read here.

import { Client, type ClientConfig } from 'pg'

/** What `pg` needs to connect: a URL, or the socket folder of the embedded database. */
export type DatabaseConnection =
  | { readonly connectionString: string }
  | {
      readonly host: string
      readonly user: string
      readonly database: string
      readonly port: number
    }

export interface DatabaseHost {
  readonly host: string
  readonly port: number
  /** For messages: `one.example:5432`, or the folder of a socket. */
  readonly name: string
}

export interface DatabaseTarget {
  /** For the driver. Its host and port are those of the first host. */
  readonly settings: ClientConfig
  /** In the order in which they are tried; at least one. */
  readonly hosts: readonly DatabaseHost[]
  readonly databaseName: string | undefined
  /** Whether a server that takes no writes is refused when a connection is opened. */
  readonly mustTakeWrites: boolean
}

/** The address cannot be read. The message holds no part of it, and so no password. */
export class DatabaseUrlNotValid extends Error {}

const ATTRIBUTE = 'target_session_attrs'
// The scheme with user and password, the hosts, and the rest. An @ that is not encoded belongs to
// the password.
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s
const HOSTS_MAX = 16

/** Throws DatabaseUrlNotValid. */
export function readTarget(connection: DatabaseConnection): DatabaseTarget {
  if (!('connectionString' in connection)) {
    return {
      settings: connection,
      hosts: [nameHost(connection.host, connection.port)],
      databaseName: connection.database,
      mustTakeWrites: false,
    }
  }
  const [, start = '', authority = '', end = ''] = PARTS.exec(connection.connectionString) ?? []
  const { rest, attribute } = takeAttribute(end)
  const authorities = authority.split(',')
  if (authorities.length > HOSTS_MAX) {
    throw new DatabaseUrlNotValid(`DATABASE_URL takes at most ${HOSTS_MAX} hosts`)
  }
  if (authorities.length > 1 && authorities.includes('')) {
    throw new DatabaseUrlNotValid('DATABASE_URL has a comma with no host beside it')
  }
  const clients = authorities.map((one) => readUrl(`${start}${one}${rest}`))
  const [first] = clients
  if (first === undefined) throw new Error('splitting a text gives at least one part')
  return {
    settings: { connectionString: `${start}${authorities[0] ?? ''}${rest}` },
    hosts: clients.map(({ host, port }) => nameHost(host, port)),
    databaseName: first.database,
    mustTakeWrites: isWriterWanted(attribute, authorities.length),
  }
}

/** The hosts of a target for a message, in their order. */
export function describeHosts({ hosts }: Pick<DatabaseTarget, 'hosts'>): string {
  return hosts.map(({ name }) => name).join(', ')
}

function nameHost(host: string, port: number): DatabaseHost {
  if (host.startsWith('/')) return { host, port, name: host }
  return { host, port, name: `${host.includes(':') ? `[${host}]` : host}:${port}` }
}

/** Parses with the driver, which also knows its other parameters. */
function readUrl(url: string): Client {
  try {
    return new Client({ connectionString: url })
  } catch (error) {
    // The parser's message quotes the address with the password in it.
    throw new DatabaseUrlNotValid(
      'DATABASE_URL is not a valid address; write it as postgres://user:password@host:port/database, or with several hosts as postgres://user:password@host1:port,host2:port/database, and special characters of the password percent-encoded',
      { cause: error },
    )
  }
}

function takeAttribute(end: string): { rest: string; attribute: string | null } {
  const at = end.indexOf('?')
  if (at < 0) return { rest: end, attribute: null }
  const given = end.slice(at + 1).split('&')
  const isIt = (parameter: string): boolean => parameter.startsWith(`${ATTRIBUTE}=`)
  const others = given.filter((parameter) => !isIt(parameter))
  return {
    rest: end.slice(0, at) + (others.length === 0 ? '' : `?${others.join('&')}`),
    attribute: given.find(isIt)?.slice(ATTRIBUTE.length + 1) ?? null,
  }
}

/**
 * libpq takes the first server that answers unless it is told otherwise. This service is of no use
 * on a standby, so among several hosts it looks for the one that takes writes.
 */
function isWriterWanted(attribute: string | null, hostCount: number): boolean {
  switch (attribute) {
    case null:
      return hostCount > 1
    case 'any':
      return false
    case 'read-write':
    case 'primary':
      return true
    default:
      throw new DatabaseUrlNotValid(`${ATTRIBUTE} in DATABASE_URL takes read-write, primary or any`)
  }
}
