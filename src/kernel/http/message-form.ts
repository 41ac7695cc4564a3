// What makes a parsed request a request of HTTP/1.1 or 1.0, beside what Node's parser checks: its
// version, its Host header and its transfer coding (RFC 9112 sections 2.3, 3.2 and 6.1).

import type { IncomingMessage } from 'node:http'
import { requestNotValid } from '../errors.ts'
import type { OperatingError } from '../operating-error.ts'

/**
 * Null for a request in order. Any other one could be read in one way by a proxy and in another way
 * here (request smuggling).
 */
export function findFormTrouble(message: IncomingMessage): OperatingError | null {
  const { httpVersionMajor, httpVersionMinor } = message
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) {
    return requestNotValid('The version of the request is not HTTP/1.0 or HTTP/1.1.')
  }
  if (hasUnknownCoding(message)) {
    return requestNotValid('The only transfer coding that can be read is "chunked".')
  }
  const hosts = countHeader(message.rawHeaders, 'host')
  if (hosts === 1 || (hosts === 0 && httpVersionMinor === 0)) return null
  return requestNotValid(
    hosts === 0 ? 'The Host header is missing.' : 'There is more than one Host header.',
  )
}

/**
 * Where such a body ends would be anyone's guess. Node refuses it and closes the connection, but
 * only after the request was handed on.
 */
export function hasUnknownCoding({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding !== undefined && !/^chunked$/i.test(coding)
}

/** Node keeps the first of several headers of such a name and drops the rest without a word. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) count += 1
  }
  return count
}
