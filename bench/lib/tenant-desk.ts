// One tenant of a server under measurement, seen from outside: its events, and a desk that
// resolves, closes, merges and splits its cases.

import { type Call, createCaller, readItems, readMember } from './call.ts'
import type { Random } from './random.ts'

const SCOPES = [
  'events:ingest',
  'events:read',
  'cases:read',
  'cases:write',
  'cases:transition',
  'cases:merge',
  'customers:read',
  'customers:write',
]
// Cases that a desk of two people gets done in an hour.
const LOOKED_AT = 40
const RESOLVED = 25
const CLOSED = 5
// Two to merge and one to split.
const OTHERS = 3

export interface TenantDesk {
  readonly tenantId: string
  readonly token: string
  /** Pushes events as NDJSON; their ids in the same order. */
  readonly push: (events: readonly string[]) => Promise<readonly string[]>
  /**
   * An hour of the desk: looks at new cases, ends some, merges two, sometimes undoes it, splits
   * one.
   */
  readonly work: (random: Random) => Promise<void>
  /**
   * How many cases were split off so far, or given back by an undone merge: their customers may
   * have two open cases.
   */
  readonly readDoublesMax: () => number
}

/** Makes the tenant with a token of its own, by `adminToken`. */
export async function createTenantDesk(
  port: number,
  adminToken: string,
  tenantId: string,
): Promise<TenantDesk> {
  const admin = createCaller(port, adminToken)
  await admin('POST', '/beta/admin/tenants', { id: tenantId, name: `Made-up ${tenantId}` })
  const created = await admin('POST', '/beta/admin/tokens', {
    name: 'desk',
    tenant_id: tenantId,
    scopes: SCOPES,
  })
  const token = String(readMember(created, 'token'))
  const call = createCaller(port, token)
  let doublesMax = 0
  const work = async (random: Random): Promise<void> => {
    const fresh = await listCases(call, 'NEW', LOOKED_AT)
    await change(call, fresh, { state: 'IN_PROGRESS', comment: 'Looked at.' })
    const open = await listCases(call, 'IN_PROGRESS', RESOLVED + CLOSED + OTHERS)
    await change(call, open.slice(0, RESOLVED), { state: 'RESOLVED', resolution: 'fixed' })
    await change(call, open.slice(RESOLVED, RESOLVED + CLOSED), {
      state: 'CLOSED',
      close_reason: 'insufficient_evidence',
    })
    const [target, source, whole] = open.slice(RESOLVED + CLOSED)
    if (target !== undefined && source !== undefined) {
      await call('POST', `/beta/casework/cases/${target}/merge`, { from: [source] })
      if (random.integer(2) === 0) {
        await call('POST', `/beta/casework/cases/${target}/unmerge`, { from: [source] })
        doublesMax += 1
      }
    }
    if (whole !== undefined && (await split(call, whole))) doublesMax += 1
  }
  return {
    tenantId,
    token,
    async push(events) {
      const answer = await call('POST', '/beta/casework/events', events.join('\n'))
      return readItems(answer).map((item) => {
        if (readMember(item, 'outcome') === 'invalid') throw new Error(JSON.stringify(item))
        return String(readMember(item, 'event_id'))
      })
    },
    work,
    readDoublesMax: () => doublesMax,
  }
}

async function listCases(call: Call, state: string, limit: number): Promise<readonly string[]> {
  const page = await call('GET', `/beta/casework/cases?state=${state}&order=asc&limit=${limit}`)
  return readItems(page).map((item) => String(readMember(item, 'id')))
}

async function change(
  call: Call,
  ids: readonly string[],
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  if (ids.length > 0) await call('POST', '/beta/casework/cases/bulk', { ids, change: wanted })
}

/** Splits one event off a case that has two or more; false when it has fewer. */
async function split(call: Call, caseId: string): Promise<boolean> {
  const page = await call('GET', `/beta/casework/events?case_id=${caseId}&limit=2`)
  const [first, second] = readItems(page).map((item) => String(readMember(item, 'event_id')))
  if (first === undefined || second === undefined) return false
  await call('POST', `/beta/casework/cases/${caseId}/split`, { event_ids: [first] })
  return true
}
