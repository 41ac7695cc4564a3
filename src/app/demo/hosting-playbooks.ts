// The playbooks of the made-up hoster that are no shipped ones: a small one of its own, and the
// second version of one that it changed later.

import type { Caller } from '../../vocabulary/caller.ts'
import type { DemoDesk } from './demo-desk.ts'

const PLAYBOOKS = '/beta/casework/playbooks'

/** A node of a graph, as far as the demo changes it. */
interface ChangedNode {
  readonly id: string
  readonly config?: object
  readonly paths?: Readonly<Record<string, string>>
}

/**
 * Asks the inventory whose machine it is. The inventory does not know all of them, and nothing is
 * said for that answer, so some of its runs fail and need attention.
 */
export async function createMachinePlaybook({ send }: DemoDesk, admin: Caller): Promise<string> {
  const json = {
    name: 'Find the asset',
    description: 'Asks the inventory which machine has the address, for the note on the case.',
    nodes: [
      { id: 'begin', kind: 'start', position: { x: 0, y: 0 }, paths: { next: 'ask' } },
      {
        id: 'ask',
        kind: 'api_caller',
        position: { x: 260, y: 0 },
        note: 'The way for an address that the inventory does not have is still to be drawn.',
        config: {
          method: 'GET',
          url: 'https://inventory.nordhafen.example/hosts/{{ event.ip }}',
          keep: { asset: '/asset' },
        },
        paths: { success: 'note' },
      },
      {
        id: 'note',
        kind: 'comment',
        position: { x: 520, y: 0 },
        config: { text: 'The inventory knows the machine; its sheet is linked in the panel.' },
        paths: { next: 'done' },
      },
      { id: 'done', kind: 'end', position: { x: 780, y: 0 } },
    ],
  }
  const { json: made } = await send(admin, 'POST', PLAYBOOKS, { json })
  await send(admin, 'POST', `${PLAYBOOKS}/${made.id}/versions/${made.version}/activate`)
  return made.id
}

/**
 * Version 2 of "Notify and escalate": critical cases go to a person at once, and customers have two
 * days where they had three.
 */
export async function addSecondVersion(
  { send }: DemoDesk,
  admin: Caller,
  playbookId: string,
): Promise<void> {
  const versions = `${PLAYBOOKS}/${playbookId}/versions`
  const { json: first } = await send(admin, 'GET', `${versions}/1`)
  const former: readonly ChangedNode[] = first.nodes
  const nodes = [
    ...former.map(changeNode),
    {
      id: 'critical',
      kind: 'true_false',
      position: { x: 520, y: 320 },
      note: 'Nobody should wait for an answer while a network is under attack.',
      config: { condition: "case.severity == 'critical'" },
      paths: { true: 'review', false: 'tell', error: 'tell' },
    },
  ]
  const { json: made } = await send(admin, 'POST', versions, { json: { nodes } })
  await send(admin, 'POST', `${versions}/${made.version}/activate`)
}

function changeNode(node: ChangedNode): ChangedNode {
  switch (node.id) {
    case 'work':
      return { ...node, paths: { next: 'critical' } }
    case 'tell':
      return { ...node, config: { ...node.config, text: 'Please answer within two days.' } }
    case 'wait':
      return { ...node, config: { ...node.config, timeout: 'P2D' } }
    default:
      return node
  }
}
