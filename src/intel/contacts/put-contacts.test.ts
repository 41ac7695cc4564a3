import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'

const UNTESTED = { email: 'abuse@example.com', status: 'UNKNOWN' }

describe('PUT /beta/contacts', () => {
  let app: TestApp
  let token: string
  before(async () => {
    app = await openTestApp()
    token = await app.createToken({ scopes: ['sources:manage'] })
  })
  beforeEach(async () => {
    await app.services.foundation.database.pool.query(
      'delete from contact_range; delete from contact_domain; update contact_serial set serial = serial + 1',
    )
  })
  after(() => app.close())

  const put = (json: unknown) => app.send('PUT', '/beta/contacts', { token, json })
  const rejectionOf = async (row: unknown): Promise<string> => {
    const answer = await put([row])
    assert.equal(answer.status, 200)
    const { accepted, rejected } = answer.json().result
    assert.equal(accepted, 0)
    return rejected[0].reason
  }
  const lookUp = async (item: string) =>
    (await app.send('GET', `/beta/query/${item}`)).json().result.abuseContact

  it('200, and look-ups of addresses and domains show the contacts from then on', async () => {
    const answer = await put([
      { range: '192.0.2.0/24', email: 'abuse@example.com', source: 'list' },
      { range: '198.51.100.7', email: 'abuse@example.com', source: 'list' },
      { domain: 'example.com', email: 'abuse@example.com', source: 'list' },
    ])
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json(), {
      status: 'success',
      statusCode: 200,
      result: { accepted: 3, rejected: [] },
    })
    for (const item of ['192.0.2.1', '198.51.100.7', 'www.example.com']) {
      assert.deepEqual(await lookUp(item), UNTESTED, item)
    }
    assert.equal(await lookUp('198.51.100.8'), undefined)
  })

  it('200 and the contact is gone after null', async () => {
    await put([{ range: '192.0.2.0/24', email: 'abuse@example.com', source: 'list' }])
    await put([{ range: '192.0.2.0/24', email: null, source: 'list' }])
    assert.equal(await lookUp('192.0.2.1'), undefined)
  })

  it('200 with the position and reason of each row that cannot be used, and keeps the others', async () => {
    const answer = await put([
      { range: 'nowhere', email: 'abuse@example.com', source: 'list' },
      { range: '192.0.2.0/24', email: 'abuse@example.com', source: 'list' },
      7,
    ])
    const { accepted, rejected } = answer.json().result
    assert.equal(accepted, 1)
    assert.deepEqual(
      rejected.map(({ index }: { index: number }) => index),
      [0, 2],
    )
    assert.deepEqual(await lookUp('192.0.2.1'), UNTESTED)
  })

  it('says what is wrong with a row', async () => {
    const right = { range: '192.0.2.0/24', email: 'abuse@example.com', source: 'list' }
    assert.match(await rejectionOf({ ...right, range: '192.0.2.1/24' }), /192\.0\.2\.0\/24/)
    assert.match(await rejectionOf({ ...right, range: 'example.com' }), /^range is no/)
    assert.match(await rejectionOf({ ...right, domain: 'example.com' }), /exactly one/)
    assert.match(await rejectionOf({ email: right.email, source: 'list' }), /exactly one/)
    assert.match(
      await rejectionOf({ domain: '192.0.2.1', email: right.email, source: 'list' }),
      /^domain is no/,
    )
    assert.match(await rejectionOf({ ...right, email: 'nobody' }), /plain address/)
    assert.match(await rejectionOf({ ...right, email: undefined }), /email is missing/)
    assert.match(await rejectionOf({ ...right, email: 7 }), /email must be a string/)
    assert.match(await rejectionOf({ ...right, source: undefined }), /source is missing/)
    assert.match(await rejectionOf({ ...right, source: 'a\u0000b' }), /^source must be/)
    assert.match(await rejectionOf({ ...right, mail: 'x' }), /no member "mail"/)
  })

  it('rejects a contact of more than an IPv4 /8 or an IPv6 /16, which may still be taken back', async () => {
    for (const range of ['0.0.0.0/0', '2000::/3']) {
      const row = { range, source: 'list' }
      assert.match(await rejectionOf({ ...row, email: 'abuse@example.com' }), /too wide/)
      const answer = await put([{ ...row, email: null }])
      assert.equal(answer.json().result.accepted, 1)
    }
    assert.equal(await lookUp('192.0.2.1'), undefined)
  })

  it('400 for a body that is no array, and keeps nothing', async () => {
    const answer = await put({ range: '192.0.2.0/24', email: 'abuse@example.com', source: 'list' })
    assert.equal(answer.status, 400)
    assert.equal(answer.json().statusCode, 400)
    assert.equal(await lookUp('192.0.2.1'), undefined)
  })

  it('413 for more than 10,000 rows', async () => {
    const answer = await put(Array.from({ length: 10_001 }, () => 7))
    assert.equal(answer.status, 413)
  })

  it('401 without a token and 403 without the scope', async () => {
    assert.equal((await app.send('PUT', '/beta/contacts', { json: [] })).status, 401)
    const other = await app.createToken({ scopes: ['intel:write'] })
    assert.equal((await app.send('PUT', '/beta/contacts', { token: other, json: [] })).status, 403)
  })
})
