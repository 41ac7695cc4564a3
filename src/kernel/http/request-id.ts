// The ids of requests: a caller quotes them, and the log has them.

import { randomBytes } from 'node:crypto'

/**
 * Gives ids that no other thread or node gives: 96 random bits of this source and a count. A random
 * id for each request would cost 2 % of a look-up, and the ids are no secrets.
 */
export function createRequestIds(): () => string {
  const source = randomBytes(12).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${source}-${count.toString(36)}`
  }
}
