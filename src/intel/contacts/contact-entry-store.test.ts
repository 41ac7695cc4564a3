import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { readContactSerials } from './contact-store.ts'

describe('the sources of abuse contacts', () => {
  let token: string
  const app = withApp({}, async (opened) => {
    token = await opened.createToken()
  })

  const put = (json: unknown) => app.send('PUT', '/beta/contacts', { token, json })
  const get = async () => {
    const answer = await app.send('GET', '/beta/sources', { token })
    return answer.json().result
  }
  const contactOf = async (item: string) =>
    (await app.send('GET', `/beta/query/${item}`)).json().result.abuseContact?.email
  const serial = async () =>
    (await readContactSerials(app.services.foundation.database.kysely)).serial

  it('are listed with state, number of contacts and licence, as every other source', async () => {
    await put([
      { range: '192.0.2.0/24', email: 'a@example.com', source: 'whois' },
      { domain: 'example.com', email: 'b@example.com', source: 'whois' },
      { range: '192.0.2.0/25', email: 'c@example.com', source: 'hand' },
      // It withdraws a contact of a source that said nothing else, which makes no source.
      { range: '192.0.2.0/26', email: null, source: 'never' },
    ])
    const described = { licence: 'Ours.', ttlSeconds: 86_400 }
    const answer = await app.send('PUT', '/beta/sources/contact/whois', { token, json: described })
    assert.equal(answer.status, 200)
    const [hand, whois, ...others] = await get()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [hand.kind, hand.name, hand.state, hand.entries],
      ['contact', 'hand', 'fresh', 1],
    )
    const { createdAt, heardAt, ...rest } = whois
    assert.ok(Date.parse(heardAt) >= Date.parse(createdAt))
    assert.deepEqual(rest, {
      kind: 'contact',
      name: 'whois',
      state: 'fresh',
      entries: 2,
      ...described,
    })
  })

  it('204 takes a source away with all its contacts in one change, and leaves the others', async () => {
    const before = await serial()
    const path = '/beta/sources/contact/hand'
    assert.equal((await app.send('DELETE', path, { token })).status, 204)
    assert.equal(await serial(), before + 1)
    assert.equal(await contactOf('192.0.2.1'), 'a@example.com')
    assert.equal((await app.send('DELETE', '/beta/sources/contact/whois', { token })).status, 204)
    assert.equal(await serial(), before + 2)
    assert.equal(await contactOf('192.0.2.1'), undefined)
    assert.equal(await contactOf('www.example.com'), undefined)
    assert.deepEqual(await get(), [])
    assert.equal((await app.send('DELETE', path, { token })).status, 404)
    // A later push brings the source back.
    await put([{ range: '192.0.2.0/24', email: 'd@example.com', source: 'hand' }])
    assert.equal((await get())[0].entries, 1)
  })
})
