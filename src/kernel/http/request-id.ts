// The ids of requests: what a caller quotes and the log holds.

import { randomBytes } from 'node:crypto'

/**
 * Gives ids that no other thread or node gives: 96 random bits of this source and a count. A random
 * id for each request would cost 2 % of a lookup (measured), and nothing is kept secret by them.
 */
export function createRequestIds(): () => string {
  const source = randomBytes(12).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${source}-${count.toString(36)}`
  }
}
