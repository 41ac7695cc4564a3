// Whether accepted reports write sightings (design section 4.6): the default of each tenant is
// written down at the first start, and a later start switches it off where it no longer may be on.

import { decideSharing, switchSharingOff } from '../access/tenant-store.ts'
import { countSharing, type SharingCounts } from '../casework/sightings/report-sharing-store.ts'
import { withDeadline } from '../kernel/async/deadline.ts'
import { keepResult } from '../kernel/async/keep-result.ts'
import type { Config } from '../kernel/config.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import type { ReadinessFinding } from '../kernel/readiness.ts'
import { parseAddress } from '../values/address.ts'
import { rangeHolds, requireRange } from '../values/range.ts'
import type { Foundation } from './foundation.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(requireRange)
// `/readyz` answers within a second.
const COUNT_MS = 500
// A page that anybody may ask for costs the database one count in this time.
const KEPT_MS = 10_000

/** True when a stranger cannot look anything up: it takes a token, or a login to this machine. */
export function isIntelClosed({
  intelAccess,
  host,
}: Pick<Config, 'intelAccess' | 'host'>): boolean {
  if (intelAccess === 'token' || host === 'localhost') return true
  const address = parseAddress(host)
  return address !== null && LOOPBACK.some((range) => rangeHolds(range, address))
}

/** Called once in a process, before it serves. */
export async function openSharing({
  config,
  database,
  log,
  readiness,
}: Pick<Foundation, 'config' | 'database' | 'log' | 'readiness'>): Promise<void> {
  const db = database.kysely
  // A process without the role api has no look-ups, and knows nothing of the listeners of others.
  const hasLookups = config.roles.includes('api')
  const sharing = { isAllowed: !hasLookups || isIntelClosed(config) }
  if (hasLookups) await decideSharing(db, sharing)
  const switchedOff = await switchSharingOff(db, sharing)
  if (switchedOff.length > 0) {
    log.warn(
      'share_sightings was on by default and is off now, since there is a second tenant or look-ups are open; the sightings of its reports are removed',
      { tenants: switchedOff },
    )
  }
  const count = keepResult(KEPT_MS, () =>
    withDeadline(COUNT_MS, () => inInstance('measure', () => countSharing(db))).catch(() => null),
  )
  readiness.add({
    name: 'report sightings',
    async check() {
      const counts = await count()
      return counts === null ? UNKNOWN : describeSharing(counts, sharing.isAllowed)
    },
  })
}

const UNKNOWN: ReadinessFinding = {
  state: 'off',
  detail: 'Not known while the database does not answer.',
}

function describeSharing(
  { tenants, sharing, waiting }: SharingCounts,
  isAllowed: boolean,
): ReadinessFinding {
  if (sharing > 0) {
    const detail = `Accepted reports of ${sharing} of ${tenants} tenants write sightings; ${waiting} items wait.`
    return { state: 'ok', detail }
  }
  const reasons = [
    ...(tenants > 1 ? ['there are several tenants'] : []),
    ...(isAllowed ? [] : ['look-ups are open to everybody']),
  ]
  const because =
    reasons.length === 0 ? '' : ` By default they do not while ${reasons.join(' and ')}.`
  return {
    state: 'off',
    detail: `Accepted reports write no sightings (share_sightings).${because}`,
  }
}
