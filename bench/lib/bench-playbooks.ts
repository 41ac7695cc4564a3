// The playbooks of the bench, made over HTTP.

import { createCaller, readMember } from './call.ts'
import type { ServerProcess } from './process.ts'
import type { Sinks } from './sinks.ts'
import type { Stage } from './stage.ts'

/** The ids of playbooks that are active. */
export interface BenchPlaybooks {
  /** Changes its case at every node. */
  readonly steps: string
  /** Waits for 90 days at the node `pause`. */
  readonly parked: string
  /** Waits for a trigger at the node `ask`. */
  readonly waiting: string
  /** Calls the HTTP sink and sends a mail to the SMTP sink. */
  readonly calling: string
}

interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly config?: object
  readonly paths?: Readonly<Record<string, string>>
}

/** The nodes of `steps`. */
export const STEPS: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'work' } },
  { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'note' } },
  { id: 'note', kind: 'comment', config: { text: 'Looked at.' }, paths: { next: 'mark' } },
  { id: 'mark', kind: 'tag', config: { add: ['seen'] }, paths: { next: 'again' } },
  { id: 'again', kind: 'comment', config: { text: 'Done with.' }, paths: { next: 'done' } },
  { id: 'done', kind: 'resolve' },
]

const PARKED: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'pause' } },
  { id: 'pause', kind: 'delay', config: { duration: 'P90D' }, paths: { next: 'stop' } },
  { id: 'stop', kind: 'end' },
]

const WAITING: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'stop' } },
  { id: 'stop', kind: 'end' },
]

function callAndMail(httpPort: number): readonly GraphNode[] {
  const url = `http://127.0.0.1:${httpPort}/`
  return [
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'POST', url, body: { reason: 'abuse' } },
      paths: { success: 'note' },
    },
    { id: 'note', kind: 'comment', config: { text: 'Called.' }, paths: { next: 'mail' } },
    {
      id: 'mail',
      kind: 'email',
      config: { to: { cel: "case.id + '@customer.example'" }, template: 'notice' },
      paths: { sent: 'stop' },
    },
    { id: 'stop', kind: 'end' },
  ]
}

export async function createPlaybooks(
  stage: Stage,
  server: ServerProcess,
  sinks: Sinks,
): Promise<BenchPlaybooks> {
  const call = createCaller(server.port, stage.token)
  const create = async (name: string, nodes: readonly GraphNode[]): Promise<string> => {
    const path = '/beta/casework/playbooks'
    const id = String(readMember(await call('POST', path, { name, nodes }), 'id'))
    await call('POST', `${path}/${id}/versions/1/activate`)
    return id
  }
  return {
    steps: await create('steps', STEPS),
    parked: await create('parked', PARKED),
    waiting: await create('waiting', WAITING),
    calling: await create('calling', callAndMail(sinks.httpPort)),
  }
}
