// Assignment of cases to people: a user or a group of the tenant, `me`, and the names beside ids.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { createPerson, invite } from '../../../test/people-kit.ts'

const app = withApp()

async function openCase(token: string, domain: string): Promise<string> {
  const json = {
    event_type: 'Phishing',
    domain,
    event_date: '2026-06-01T10:00:00Z',
    sender_email: 'reporter@example.com',
  }
  const answer = await app.send('POST', '/beta/casework/events', { token, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().case_id
}

const patch = (token: string, caseId: string, version: number, assignee: string | null) =>
  app.send('PATCH', `/beta/casework/cases/${caseId}`, {
    token,
    json: { version, assignee_user_id: assignee },
  })

test('200 for any text while the tenant has no users, 400 for a new unknown one afterwards', async () => {
  await app.createTenant('desk')
  const token = await app.createToken({ tenantId: 'desk' })
  const caseId = await openCase(token, 'free.example')
  assert.equal((await patch(token, caseId, 1, 'ana')).status, 200)
  const { id } = await invite(app, token, { roles: [], tenantId: 'desk' })
  const kept = await app.send('GET', `/beta/casework/cases/${caseId}`, { token })
  assert.equal(kept.json().assignee_user_id, 'ana', 'a former text stays readable')
  for (const unknown of ['ben', id]) {
    const refused = await patch(token, caseId, 2, unknown)
    assert.equal(refused.status, 400, 'an unknown text, and one who has not accepted')
    assert.equal(refused.json().errors[0].path, '/assignee_user_id')
  }
  const bulk = await app.send('POST', '/beta/casework/cases/bulk', {
    token,
    json: { ids: [caseId], change: { assignee_user_id: 'ben' } },
  })
  assert.deepEqual([bulk.status, bulk.json().errors[0].path], [400, '/change/assignee_user_id'])
  assert.equal((await patch(token, caseId, 2, null)).status, 200)
})

test('a user or a group of the tenant takes a case, and me finds one’s own and those of one’s groups', async () => {
  const { token } = app
  const person = await createPerson(app, token, { roles: ['agent'] })
  const json = { name: 'Night desk', user_ids: [person.id] }
  const group = (await app.send('POST', '/beta/admin/groups', { token, json })).json()
  const [own, ofGroup] = [
    await openCase(token, 'own.example'),
    await openCase(token, 'group.example'),
  ]
  const { send } = person.browser
  const mine = { version: 1, assignee_user_id: 'me' }
  const taken = await send('PATCH', `/beta/casework/cases/${own}`, { json: mine })
  assert.equal(taken.json().assignee_user_id, person.id)
  assert.equal((await patch(token, ofGroup, 1, group.id)).status, 200)
  await openCase(token, 'other.example')
  const { items } = (await send('GET', '/beta/casework/cases?assignee_user_id=me')).json()
  assert.deepEqual(new Set(items.map(({ id }: { id: string }) => id)), new Set([own, ofGroup]))
  const counts = (await send('GET', '/beta/casework/cases/counts?assignee_user_id=me')).json()
  assert.equal(counts.total, 2)
  const nobody = await app.send('GET', '/beta/casework/cases?assignee_user_id=me', { token })
  assert.deepEqual(nobody.json().items, [], 'a token has no cases of its own')
})

test('the list of assignees has users and groups by name, without e-mail addresses', async () => {
  await app.createTenant('named')
  const token = await app.createToken({ tenantId: 'named' })
  const { id } = await createPerson(app, token, { roles: [], tenantId: 'named' })
  await invite(app, token, { roles: [], tenantId: 'named' })
  const json = { name: 'A desk' }
  const group = (await app.send('POST', '/beta/admin/groups', { token, json })).json()
  const reader = await app.createToken({ tenantId: 'named', scopes: ['cases:read'] })
  const answer = await app.send('GET', '/beta/casework/assignees', { token: reader })
  const { items } = answer.json()
  assert.deepEqual(
    items.map((one: { kind: string; id: string }) => [one.kind, one.id]),
    [
      ['group', group.id],
      ['user', id],
    ],
  )
  assert.ok(!answer.text.includes('@'))
  const first = await app.send('GET', '/beta/casework/assignees?limit=1', { token: reader })
  const cursor = encodeURIComponent(first.json().next_cursor)
  const rest = await app.send('GET', `/beta/casework/assignees?limit=1&cursor=${cursor}`, {
    token: reader,
  })
  assert.equal(rest.json().items[0].id, id)
})

test('the history of a case names the person who acted beside the id', async () => {
  const person = await createPerson(app, app.token, { roles: ['agent'] })
  const caseId = await openCase(app.token, 'history.example')
  const { send } = person.browser
  const json = { version: 1, severity: 'high' }
  await send('PATCH', `/beta/casework/cases/${caseId}`, { json })
  const { items } = (await send('GET', `/beta/casework/cases/${caseId}/history`)).json()
  const { actor, actor_kind: kind, actor_name: name } = items[0]
  assert.deepEqual([kind, actor], ['user', person.id])
  assert.match(name, /^Person \d+$/)
  assert.ok(!('actor_name' in items.at(-1)), 'the system has no name')
})

test('the history of a case group names the person who made it beside the id', async () => {
  const person = await createPerson(app, app.token, { roles: ['tenant-admin'] })
  const groups = '/beta/casework/case-groups'
  const json = { id: 'named', name: 'Named', condition: 'event.event_type == "Spam"' }
  const made = await person.browser.send('POST', groups, { json })
  assert.equal(made.status, 201, made.text)
  const { items } = (await person.browser.send('GET', `${groups}/named/history`)).json()
  assert.deepEqual(
    [items[0].actor, items[0].actor_name],
    [person.id, person.browser.session.user.name],
  )
})

async function read(token: string, path: string) {
  const answer = await app.send('GET', `/beta/casework/cases${path}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

/** Every place of a case that names a person, as a reader sees it. */
async function readNames(token: string, caseId: string) {
  const [detail, list] = [
    await read(token, `/${caseId}`),
    await read(token, '?expand=summary&limit=5'),
  ]
  const [comment] = (await read(token, `/${caseId}/comments`)).items
  const [entry] = (await read(token, `/${caseId}/history`)).items
  const timeline = (await read(token, `/${caseId}/timeline?kinds=comment,history`)).items
  const ofKind = (kind: string) => timeline.find((one: { kind: string }) => one.kind === kind)
  const listed = list.items.find((one: { id: string }) => one.id === caseId)
  return {
    detail: detail.assignee_name,
    listed: listed.summary.assignee_name,
    comment: comment.author,
    history: entry.actor_name,
    timelineComment: ofKind('comment').actor_name,
    timelineHistory: ofKind('history').actor_name,
  }
}

const everywhere = (name: string) => ({
  detail: name,
  listed: name,
  comment: name,
  history: name,
  timelineComment: name,
  timelineHistory: name,
})

test('a case shows the name of its assignee alone and in lists, history, comments and timeline name the person, and one who has left is a former user', async () => {
  await app.createTenant('names')
  const token = await app.createToken({ tenantId: 'names' })
  const person = await createPerson(app, token, { roles: ['agent'], tenantId: 'names' })
  await invite(app, token, { roles: [], tenantId: 'names' })
  const caseId = await openCase(token, 'names.example')
  const { send } = person.browser
  const path = `/beta/casework/cases/${caseId}`
  const made = await send('POST', `${path}/comments`, { json: { text: 'Called.' } })
  const { name } = person.browser.session.user
  assert.deepEqual(
    [made.json().author, made.json().author_user_id],
    [name, person.id],
    'the answer names the author too',
  )
  const mine = { version: 1, assignee_user_id: 'me' }
  const changed = await send('PATCH', path, { json: mine })
  assert.equal(changed.json().assignee_name, name)
  assert.deepEqual(await readNames(token, caseId), everywhere(name))
  const renamed = { name: 'Ana B.' }
  await app.send('PATCH', `/beta/admin/users/${person.id}`, { token: app.token, json: renamed })
  assert.deepEqual(await readNames(token, caseId), everywhere('Ana B.'))
  const removed = await app.send('DELETE', `/beta/admin/users/${person.id}`, { token })
  assert.equal(removed.status, 204, removed.text)
  assert.deepEqual(await readNames(token, caseId), everywhere('former user'))
})

test('no name of a person of another tenant is shown, whatever id a case has', async () => {
  await app.createTenant('elsewhere')
  const token = await app.createToken({ tenantId: 'elsewhere' })
  const stranger = await createPerson(app, app.token, { roles: ['agent'] })
  const caseId = await openCase(token, 'foreign.example')
  const shown = await patch(token, caseId, 1, stranger.id)
  assert.equal(shown.json().assignee_name, 'former user')
  const absent = await patch(token, caseId, 2, `usr_${'0'.repeat(32)}`)
  assert.equal(absent.json().assignee_name, 'former user', 'as an id that nobody has')
  const text = await patch(token, caseId, 3, 'ana')
  assert.ok(!('assignee_name' in text.json()))
  // A token that is called like an id lends its comments no name.
  const json = { name: stranger.id, scopes: ['cases:read', 'cases:write'] }
  const spoof = (await app.send('POST', '/beta/admin/tokens', { token: app.token, json })).json()
  const own = await openCase(app.token, 'spoof.example')
  const path = `/beta/casework/cases/${own}/comments`
  await app.send('POST', path, { token: spoof.token, json: { text: 'It was me.' } })
  const [comment] = (await app.send('GET', path, { token: app.token })).json().items
  assert.deepEqual([comment.author, comment.author_user_id], [stranger.id, undefined])
})

test('a group that assigned cases outlive is a deleted group', async () => {
  const json = { name: 'Short-lived' }
  const group = (await app.send('POST', '/beta/admin/groups', { token: app.token, json })).json()
  const caseId = await openCase(app.token, 'group-gone.example')
  const named = await patch(app.token, caseId, 1, group.id)
  assert.equal(named.json().assignee_name, 'Short-lived')
  await app.send('DELETE', `/beta/admin/groups/${group.id}`, { token: app.token })
  assert.equal((await read(app.token, `/${caseId}`)).assignee_name, 'deleted group')
})
