// Whether an address can be somebody's on the Internet (design section 10).

import { parseAddress } from '../values/address.ts'
import { rangeHolds, requireRange } from '../values/range.ts'

// Design section 10: these cannot be a customer's. Documentation ranges are left out, since tests
// and examples live on them.
const UNREPORTABLE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/3',
  '::/127',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
].map(requireRange)

/**
 * The canonical address when it can be somebody's on the Internet; null for private, loopback,
 * link-local and multicast ones, and for what is no address.
 */
export function reportableIp(text: string): string | null {
  const address = parseAddress(text)
  if (address === null) return null
  return UNREPORTABLE.some((range) => rangeHolds(range, address)) ? null : address.text
}
