// How the desk of the made-up hoster works its cases: who takes one, when, what is written on it,
// and how it ends.

import type { Caller } from '../../vocabulary/caller.ts'
import type { DemoDesk } from './demo-desk.ts'
import { DAY_MS, HOUR_MS } from './demo-events.ts'
import type { DemoRandom } from './demo-random.ts'

const ROOT = '/beta/casework'

/** Something that happens at a time; it may plan what happens later. */
export interface StoryStep {
  readonly atMs: number
  readonly act: () => Promise<void>
}

export interface Desk {
  readonly desk: DemoDesk
  readonly random: DemoRandom
  readonly agents: readonly Caller[]
  readonly groups: { readonly day: string; readonly night: string }
  readonly plan: (step: StoryStep) => void
}

/** Plans how the desk works a case that was opened now. */
export function planCase(story: Desk, caseId: string, type: string): void {
  const { random, desk, plan, agents } = story
  const nowMs = desk.time.clock.nowMs()
  const agent = random.pick(agents)
  const takenMs = nowMs + random.between(12, 400) * MINUTE_MS
  plan({ atMs: takenMs, act: () => takeCase(story, caseId, agent, type) })
  const lookMs = takenMs + random.between(1, 9) * HOUR_MS
  plan({ atMs: lookMs, act: () => noteFinding(story, caseId, agent, type) })
  // Customers answer within hours or days, or not at all.
  const endMs = takenMs + random.between(20, 200) * HOUR_MS
  plan({ atMs: endMs, act: () => endOrPass(story, caseId, agent, type) })
}

const MINUTE_MS = 60_000

async function loadOpenCase({ desk }: Desk, agent: Caller, caseId: string) {
  const { json } = await desk.send(agent, 'GET', `${ROOT}/cases/${caseId}`)
  return json.state === 'NEW' || json.state === 'IN_PROGRESS' ? json : null
}

async function change(story: Desk, agent: Caller, caseId: string, json: object): Promise<void> {
  const found = await loadOpenCase(story, agent, caseId)
  if (found === null) return
  const body = { json: { version: found.version, ...json } }
  await story.desk.send(agent, 'PATCH', `${ROOT}/cases/${caseId}`, body)
}

async function takeCase(story: Desk, caseId: string, agent: Caller, type: string): Promise<void> {
  const { random, groups } = story
  const hour = new Date(story.desk.time.clock.nowMs()).getUTCHours()
  const isNight = hour >= 21 || hour < 6
  const byDay = random.chance(0.15) ? groups.day : agent.tokenId
  const owner = isNight ? groups.night : byDay
  await change(story, agent, caseId, {
    assignee_user_id: owner,
    add_tags: random.chance(0.6) ? [random.pick(TAGS[type] ?? ['triage'])] : ['triage'],
    ...(random.chance(0.3)
      ? { deadline_at: new Date(story.desk.time.clock.nowMs() + 2 * DAY_MS).toISOString() }
      : {}),
  })
}

async function noteFinding(
  story: Desk,
  caseId: string,
  agent: Caller,
  type: string,
): Promise<void> {
  const { random, desk } = story
  if (random.chance(0.25)) return
  const text = random.pick(FINDINGS[type] ?? OTHER_FINDINGS)
  await desk.send(agent, 'POST', `${ROOT}/cases/${caseId}/comments`, { json: { text } })
}

/** The way out that most people would take at a node, the best one first. */
const WAYS_OUT = ['fixed', 'handled', 'gone', 'reached', 'stopped', 'work_on_it', 'no_evidence']

async function endOrPass(story: Desk, caseId: string, agent: Caller, type: string): Promise<void> {
  const { random, desk } = story
  const found = await loadOpenCase(story, agent, caseId)
  if (found === null) return
  if (random.chance(0.1)) {
    const closeReason = random.pick(['false_positive', 'insufficient_evidence', 'not_ours'])
    await change(story, agent, caseId, {
      state: 'CLOSED',
      close_reason: closeReason,
      reason: CLOSINGS[closeReason] ?? '',
    })
    return
  }
  const waiting = await desk.send(agent, 'GET', `${ROOT}/cases/${caseId}/triggers`)
  const [node] = waiting.json.items
  const path = WAYS_OUT.find((one) => node?.paths.includes(one))
  if (node === undefined || path === undefined) {
    if (random.chance(0.5)) await resolveByHand(story, caseId, agent, type)
    return
  }
  const way = { node: node.node, path }
  await desk.send(agent, 'POST', `${ROOT}/cases/${caseId}/trigger-playbook`, { json: way })
  const againMs = desk.time.clock.nowMs() + random.between(2, 30) * HOUR_MS
  story.plan({ atMs: againMs, act: () => endOrPass(story, caseId, agent, type) })
}

async function resolveByHand(
  story: Desk,
  caseId: string,
  agent: Caller,
  type: string,
): Promise<void> {
  const resolution = story.random.pick(['fixed', 'mitigated', 'notified', 'quiet'])
  const text =
    type === 'Open' ? 'The port is closed now, checked from outside.' : 'Quiet since then.'
  await change(story, agent, caseId, { state: 'RESOLVED', resolution, reason: text })
}

const TAGS: Readonly<Record<string, readonly string[]>> = {
  LoginAttack: ['brute-force', 'credentials', 'repeat-customer'],
  Spam: ['bulk-mail', 'list-hygiene'],
  Phishing: ['phishing', 'brand-abuse'],
  MalwareHosting: ['malware', 'take-down'],
  Bot: ['infected', 'sinkhole-data'],
  Copyright: ['copyright', 'guest-network'],
  DDos: ['ddos', 'upstream-informed'],
  Open: ['exposed-service'],
}

const FINDINGS: Readonly<Record<string, readonly string[]>> = {
  LoginAttack: [
    'Flow data agrees: about 40 connections a minute to port 22 of many networks, nearly all at night.',
    'The VPS was ordered two days before the first report and paid with a prepaid card. Looks bought for this.',
    'Customer has password logins open on a test box. Sent them our SSH hardening page.',
    'Three independent reporters now. I would not wait the full three days here.',
  ],
  PortScan: [
    'Zmap fingerprint in the headers that the reporter sent along. One probe for each host, no follow-up.',
    'Asked the customer whether this is a scanner of theirs. They say it is not.',
  ],
  Spam: [
    'All complaints are about the campaign of the 12th. The unsubscribe link answers 404.',
    'The list was bought, says their marketing agency. Explained why that cannot continue here.',
    'SPF and DKIM are in order, so this is the customer and no forgery.',
    'Stopped the outgoing queue: 14,200 mails were still waiting in it.',
  ],
  Phishing: [
    'Page is live, a copy of the sign-in of the bank. The kit lies below an outdated plugin.',
    'Found two more kits in the same folder. Told the customer to restore from before Sunday.',
    'The bank has confirmed it is not theirs. Screenshot and source are kept with the report.',
  ],
  MalwareHosting: [
    'The file is the same hash that the CERT reported at another provider last week.',
    'Uploaded through a leaked FTP password; log excerpt sent to the customer.',
  ],
  DDos: [
    'Upstream sees 41 Gbit/s of UDP from this server. Rate limit is in place, customer is called.',
    'Game server with an open query port was used as a reflector. Patch exists since spring.',
  ],
  Bot: [
    'Sinkhole contacts every 20 minutes, so the machine is on around the clock.',
    'Behind NAT of the guest network. The hotel will look which room switch it hangs on.',
  ],
  Copyright: [
    'Guest network again. The hotel keeps no names, so this ends with a notice.',
    'Time stamp of the complaint is without a zone; asked the sender which one is meant.',
  ],
}

const OTHER_FINDINGS = [
  'Evidence is sound. Passed on to the customer with the log lines.',
  'Same customer as last month, other server. Worth a call instead of another mail.',
]

const CLOSINGS: Readonly<Record<string, string>> = {
  false_positive: 'The reporter saw a monitoring check of its own provider.',
  insufficient_evidence: 'No time zone, no log lines, and no answer to our question.',
  not_ours: 'The address moved to another network last year.',
}
