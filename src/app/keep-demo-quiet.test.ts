import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startLoopback } from '../../test/outbound-kit.ts'
import { inTenant } from '../kernel/db/row-scope.ts'
import { silentLog } from '../kernel/log.ts'
import { createOutbound, type Outbound, type OutboundRequest } from '../kernel/outbound/outbound.ts'
import { keepDemoQuiet } from './keep-demo-quiet.ts'

interface Cleanup {
  readonly after: (work: () => Promise<void> | void) => void
}

/** A real receiver on loopback, and the client that is quiet for the tenant `demo`. */
async function openQuiet(t: Cleanup) {
  const receiver = await startLoopback(t, (_, response) => response.end('taken'))
  const outbound = createOutbound({ allow: [receiver.socket], log: silentLog })
  t.after(outbound.close)
  const quiet = keepDemoQuiet(outbound, async (tenantId) => tenantId === 'demo')
  const asked: OutboundRequest = {
    method: 'POST',
    url: `${receiver.origin}/in`,
    body: '{}',
    purpose: 'webhook',
    allowHttp: true,
  }
  return { receiver, quiet, asked }
}

function probe(outbound: Outbound, port: number) {
  return outbound.probe({ host: '127.0.0.1', port, timeoutMs: 5_000 })
}

describe('the client for tenants', () => {
  test('refuses each request and probe of a demo tenant, and the receiver sees nothing', async (t) => {
    const { receiver, quiet, asked } = await openQuiet(t)
    await inTenant({ tenantId: 'demo' }, async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { kind, ...rest } = await quiet.request({ ...asked, method, body: '' })
        assert.equal(kind, 'refused')
        assert.equal('reason' in rest && rest.reason, 'demo')
      }
      const probed = await probe(quiet, receiver.port)
      assert.deepEqual([probed.kind, 'reason' in probed && probed.reason], ['refused', 'demo'])
    })
    assert.deepEqual(receiver.requests, [])
  })

  test('sends for every other tenant, and for the instance', async (t) => {
    const { receiver, quiet, asked } = await openQuiet(t)
    const answer = await inTenant({ tenantId: 'real' }, () => quiet.request(asked))
    assert.equal(answer.kind, 'answer')
    assert.equal((await quiet.request(asked)).kind, 'answer')
    assert.equal(receiver.requests.length, 2)
  })

  test('is closed with the client that it stands before', async (t) => {
    const { receiver, quiet, asked } = await openQuiet(t)
    quiet.close()
    const answer = await inTenant({ tenantId: 'real' }, () => quiet.request(asked))
    assert.notEqual(answer.kind, 'answer')
    assert.deepEqual(receiver.requests, [])
  })
})
