import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DnsServer, openDnsServer } from '../../test/fixtures/dns-server.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { warmUp } from './warm-up.ts'

describe('warmUp', () => {
  let server: DnsServer
  let app: TestApp
  before(async () => {
    server = await openDnsServer(() => ({ kind: 'silent' }))
    app = await openTestApp({
      environment: {
        CASEWORK_REVERSE_DNS: 'on',
        CASEWORK_CONTACT_DNS_ZONE: 'contacts.example',
        CASEWORK_DNS_SERVERS: server.address,
        CASEWORK_INTEL_ACCESS: 'token',
        CASEWORK_LOOKUP_RATE_LIMIT: '1',
      },
    })
  })
  after(async () => {
    await app.close()
    await server.close()
  })

  it('sends every kind of look-up through the real handlers, asks nobody and counts nothing', async () => {
    const views: string[] = []
    const { intel } = app.services
    const index = {
      ...intel.index,
      view: () => {
        views.push('view')
        return intel.index.view()
      },
    }
    await warmUp({ ...app.services, intel: { ...intel, index } })
    assert.equal(views.length, 15, 'three rounds of five look-ups')
    assert.deepEqual(server.questions, [])
    const metrics = await app.services.collectMetrics()
    assert.doesNotMatch(metrics, /lookupItem|quickCheck|explainItem/)
  })

  it('fails no start when it cannot be done', async () => {
    const { intel } = app.services
    const index = {
      ...intel.index,
      view: () => {
        throw new Error('no view')
      },
    }
    await warmUp({ ...app.services, intel: { ...intel, index } })
  })
})
