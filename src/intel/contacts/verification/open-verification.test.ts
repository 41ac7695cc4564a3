import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DnsServer, openDnsServer } from '../../../../test/fixtures/dns-server.ts'
import { buildTestConfig, openTestApp, type TestApp } from '../../../../test/harness.ts'
import { openContactVerification } from './open-verification.ts'

describe('the verification of contacts as a job', () => {
  let dnsServer: DnsServer
  let app: TestApp
  before(async () => {
    dnsServer = await openDnsServer(({ type }) =>
      type === 'SOA'
        ? { kind: 'records', records: [{ type, value: 'ns.example' }] }
        : { kind: 'records', records: [{ type: 'MX', value: '0 .' }] },
    )
    app = await openTestApp({
      environment: {
        CASEWORK_CONTACT_VERIFICATION: 'on',
        CASEWORK_DNS_SERVERS: dnsServer.address,
      },
    })
  })
  after(async () => {
    await app.close()
    await dnsServer.close()
  })

  const deps = () => {
    const { foundation } = app.services
    return { ...foundation, db: foundation.database.kysely }
  }

  it('is not there unless the setting is on', () => {
    const config = buildTestConfig({ CASEWORK_CONTACT_VERIFICATION: 'off' })
    assert.equal(openContactVerification({ ...deps(), config }), null)
  })

  it('tests an imported contact, and look-ups then show its status with the time in ISO 8601', async () => {
    const token = await app.createToken({ scopes: ['sources:manage'] })
    await app.send('PUT', '/beta/contacts', {
      token,
      json: [{ range: '192.0.2.0/24', email: 'abuse@example.com', source: 'test' }],
    })
    const contact = async (): Promise<unknown> => {
      const answer = await app.send('GET', '/beta/query/192.0.2.1')
      return answer.json().result.abuseContact
    }
    assert.deepEqual(await contact(), { email: 'abuse@example.com', status: 'UNKNOWN' })
    const verification = openContactVerification(deps())
    assert.ok(verification !== null)
    await verification.job.run(new AbortController().signal)
    verification.close()
    await app.services.intel.enrichment.refreshContacts()
    const { rows } = await app.services.foundation.database.pool.query(
      'select last_verification from contact_check',
    )
    assert.deepEqual(await contact(), {
      email: 'abuse@example.com',
      status: 'MX_FAILED',
      lastVerification: rows[0].last_verification.toISOString(),
    })
    const names = app.services.foundation.readiness.list().map(({ name }) => name)
    assert.equal(names.includes('contact-verification'), true)
  })
})
