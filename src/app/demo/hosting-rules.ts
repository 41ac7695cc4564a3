// Case groups, playbooks and mute rules of the made-up hoster, as its administrator set them up.

import type { Caller } from '../../vocabulary/caller.ts'
import type { DemoDesk } from './demo-desk.ts'
import { DAY_MS } from './demo-events.ts'
import { createMachinePlaybook } from './hosting-playbooks.ts'

const ROOT = '/beta/casework'
const TWO_WEEKS = 14 * 86_400

/** Gives the id of the playbook that is changed later. */
export async function setUpHostingRules(desk: DemoDesk, admin: Caller): Promise<string> {
  const { send } = desk
  const install = async (template: string): Promise<string> => {
    const { json } = await send(admin, 'POST', `${ROOT}/playbooks/import`, { json: { template } })
    const path = `${ROOT}/playbooks/${json.id}/versions/${json.version}/activate`
    await send(admin, 'POST', path)
    return json.id
  }
  const notify = await install('notify-and-escalate')
  const verify = await install('verify-after-fixed')
  const takeDown = await install('take-content-down')
  const byHand = await install('decide-by-hand')
  const asset = await createMachinePlaybook(desk, admin)
  const patch = (id: string, json: object) =>
    send(admin, 'PATCH', `${ROOT}/case-groups/${id}`, { json: { enabled: true, ...json } })
  await patch('block', {
    description: 'Attacks that go on until somebody stops them. One case for each address.',
    xarf_classes: ['connection'],
    key_fields: ['customer_id', 'ip'],
    max_gap_seconds: TWO_WEEKS,
    severity_rules: [
      { condition: 'event.event_type == "DDos"', severity: 'critical' },
      { condition: 'event.event_type == "LoginAttack"', severity: 'high' },
    ],
    severity: 'medium',
    playbook_id: notify,
  })
  await patch('take-down', {
    xarf_classes: ['content'],
    key_fields: ['customer_id', 'ip', 'event_type'],
    severity: 'high',
    playbook_id: takeDown,
  })
  await patch('clean-up', { severity: 'medium', playbook_id: verify })
  await patch('harden', {
    severity: 'low',
    threshold: { events: 3, window_seconds: 30 * 86_400 },
    key_fields: ['customer_id', 'contract_id', 'event_type'],
    playbook_id: asset,
  })
  await send(admin, 'POST', `${ROOT}/case-groups`, {
    json: {
      id: 'unwanted-mail',
      name: 'Unwanted mail',
      description: 'One case for each customer who sends it. Bulk senders know the drill.',
      order: 1,
      xarf_classes: ['messaging'],
      key_fields: ['customer_id'],
      max_gap_seconds: TWO_WEEKS,
      severity: 'medium',
      playbook_id: notify,
    },
  })
  await send(admin, 'POST', `${ROOT}/case-groups`, {
    json: {
      id: 'rights',
      name: 'Copyright complaints',
      description: 'A person reads each one before the customer hears of it.',
      order: 2,
      xarf_classes: ['copyright'],
      key_fields: ['customer_id', 'ip'],
      max_gap_seconds: 10 * 86_400,
      severity: 'low',
      playbook_id: byHand,
    },
  })
  return notify
}

/** As long as a mute rule may last at most, less a few weeks. */
const MUTED_MS = 200 * DAY_MS

export async function muteResearchScanner({ send, time }: DemoDesk, admin: Caller): Promise<void> {
  await send(admin, 'POST', `${ROOT}/mute-rules`, {
    json: {
      key: { ip: '198.51.100.116', event_type: 'PortScan' },
      reason: 'Research scanner of the Open Classroom Foundation, announced and approved.',
      until: new Date(time.clock.nowMs() + MUTED_MS).toISOString(),
    },
  })
}
