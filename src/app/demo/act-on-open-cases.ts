// Single acts of the story that the daily work does not bring about: a merge, a split, a legal
// hold, mitigations, a corrected report.

import type { Caller } from '../../vocabulary/caller.ts'
import type { DemoDesk } from './demo-desk.ts'

const ROOT = '/beta/casework'

interface ListedCase {
  readonly id: string
}

/** Near the end of the story, on the cases that are open then. */
export async function actOnOpenCases({ send }: DemoDesk, lead: Caller): Promise<void> {
  const list = async (query: string): Promise<readonly ListedCase[]> =>
    (await send(lead, 'GET', `${ROOT}/cases?limit=20&${query}`)).json.items
  const post = (path: string, json: unknown) => send(lead, 'POST', `${ROOT}${path}`, { json })
  const open = await list('state=IN_PROGRESS')
  const [first, second] = await list('state=IN_PROGRESS&case_group=take-down')
  if (first !== undefined && second !== undefined) {
    await post(`/cases/${first.id}/merge`, {
      from: [second.id],
      reason: 'The same kit on two servers of one customer.',
    })
  }
  const [attack, other] = await list('state=IN_PROGRESS&case_group=block')
  if (attack !== undefined) {
    const { json } = await send(lead, 'GET', `${ROOT}/events?case_id=${attack.id}&limit=2`)
    const target = json.items[0]?.ip
    await post(`/cases/${attack.id}/mitigations`, {
      kind: 'null_route',
      target_type: 'ip',
      target,
      adapter: 'edge-firewall',
      expires_in: 'P7D',
      note: 'Until the customer has answered.',
    })
    await post(`/cases/${attack.id}/hold`, {
      reason: 'Request of the public prosecutor, reference 12/34.',
    })
  }
  if (other !== undefined) {
    const { json } = await send(lead, 'GET', `${ROOT}/events?case_id=${other.id}&limit=3`)
    const eventIds = json.items.slice(0, 2).map((one: { event_id: string }) => one.event_id)
    if (json.items.length > 2) {
      await post(`/cases/${other.id}/split`, {
        event_ids: eventIds,
        reason: 'These came from another tool; they get a case of their own.',
      })
    }
    await post(`/cases/${other.id}/mitigations`, {
      kind: 'suspend',
      target_type: 'ip',
      target: json.items[0]?.ip,
      adapter: 'manual',
      note: 'Please suspend the VPS in the panel.',
    })
  }
  for (const [at, waitingOn] of ['reporter', 'third_party'].entries()) {
    const one = open[open.length - 1 - at]
    if (one === undefined) continue
    const { json } = await send(lead, 'GET', `${ROOT}/cases/${one.id}`)
    if (json.state !== 'IN_PROGRESS') continue
    await send(lead, 'PATCH', `${ROOT}/cases/${one.id}`, {
      json: { version: json.version, waiting_on: waitingOn },
    })
  }
}

/** A report that was read as a scan, and told of more than that. */
export async function correctScanReport({ send }: DemoDesk, lead: Caller): Promise<void> {
  const query = 'state=accepted&reporter=soc@university-north.example'
  const { json: found } = await send(lead, 'GET', `${ROOT}/reports?${query}`)
  const [report] = found.items
  if (report === undefined) throw new Error('the demo: the report of a scan was not accepted')
  const path = `${ROOT}/reports/${report.report_id}`
  const { json: detail } = await send(lead, 'GET', path)
  const { json: events } = await send(lead, 'GET', `${path}/events`)
  await send(lead, 'POST', `${path}/correct`, {
    json: {
      version: detail.version,
      reason: 'The SOC told by telephone that the scan tried a known hole on port 8443.',
      events: [{ event_id: events.items[0]?.event_id, event_type: 'Exploit' }],
    },
  })
}
