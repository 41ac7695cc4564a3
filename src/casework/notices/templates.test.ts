// Templates of notices: shipped ones, own ones, what they may show, and their limits.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type SharedApp, withApp } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'
import { PURPOSES } from './notice.ts'
import { listShippedTemplates, SHIPPED_LANGUAGES } from './shipped-templates.ts'
import { parseTemplate, renderTemplate } from './template-engine.ts'
import { readTemplate } from './template-variables.ts'

const app = withApp({}, prepare)
const TEMPLATES = '/beta/casework/templates'
let caseId = ''

async function prepare(opened: SharedApp): Promise<void> {
  const { token } = opened
  const customer = {
    id: 'k-7',
    name: 'Acme\r\nBcc: all@evil.example',
    contacts: [{ email: 'abuse@acme.example', purpose: 'abuse', language: 'de-AT' }],
  }
  const created = await opened.send('POST', '/beta/casework/customers', { token, json: customer })
  assert.equal(created.status, 201, created.text)
  const pushed = await opened.send('POST', '/beta/casework/events', {
    token,
    json: {
      event_date: '2026-11-20T10:00:00Z',
      event_type: 'Phishing',
      ip: '192.0.2.7',
      sender_email: 'ann@reporter.example',
      customer_id: 'k-7',
      event_details: { url: 'https://login.evil.example/?to=trap@spam-trap.example' },
    },
  })
  caseId = pushed.json().case_id
  assert.match(caseId, /^C-/, pushed.text)
}

async function send(method: string, path: string, json?: unknown) {
  return await app.send(method, path, { token: app.token, ...(json === undefined ? {} : { json }) })
}

async function preview(draft: object, name = 'notice/en') {
  return await send('POST', `${TEMPLATES}/${name}/preview`, { case_id: caseId, ...draft })
}

describe('templates', () => {
  test('are shipped for every purpose in four languages, and show only what they may', async () => {
    const listed = await send('GET', TEMPLATES)
    assert.equal(listed.json().items.length, PURPOSES.length * SHIPPED_LANGUAGES.length)
    assert.ok(listed.json().items.every((one: { is_shipped: boolean }) => one.is_shipped))
    for (const template of listShippedTemplates()) {
      const problems: never[] = []
      assert.notEqual(readTemplate(template, template.profile, problems), null)
      assert.deepEqual(problems, [], `${template.language} ${template.name}`)
    }
  })

  test('are rendered over a real case, with links that nobody clicks by accident', async () => {
    for (const { name, language } of listShippedTemplates()) {
      const reasons = { restriction: 'x', ground: 'y' }
      const shown = await preview({ text: 'By hand.', reasons }, `${name}/${language}`)
      assert.equal(shown.status, 200, `${language} ${name}: ${shown.text}`)
      const { subject, text } = shown.json()
      assert.doesNotMatch(subject, /[\r\n{}]/)
      assert.doesNotMatch(text, /\{\{|https:|evil\.example\/|ann@reporter|trap@/)
    }
    const { text } = (await preview({})).json()
    assert.match(text, /hxxps:\/\/login\[\.\]evil\[\.\]example\/\?to=\[removed\]/)
    assert.match(text, /192\.0\.2\.7/)
  })

  test('have a subject of one line, whatever the values hold', async () => {
    const shown = await preview({ subject: '{{ customer.name }}\n{{ text }}', text: 'a\r\nCc: b' })
    assert.equal(shown.json().subject, 'Acme Bcc: all@evil.example a Cc: b')
  })

  test('never show a reporter or a trap that came in by a text, but to an authority', async () => {
    await send('PUT', '/beta/admin/report-addresses/trap@spam-trap.example', {
      tenant_id: 'default',
      trap: true,
    })
    const text =
      'ANN@reporter.example wrote to TRAP%40spam-trap.example, and to us@provider.example'
    const shown = await preview({ body: '{{ text }}', text })
    assert.equal(shown.json().text, '[removed] wrote to [removed], and to us@provider.example')
    const body = '{{ case.event_reporters | join }} {{ text }}'
    const shownToAuthority = await preview({ body, profile: 'authority', text })
    assert.equal(
      shownToAuthority.json().text,
      'ann@reporter.example ANN@reporter.example wrote to [removed], and to us@provider.example',
    )
  })

  test('take a tag behind a plus sign for the same reporter', async () => {
    const text = 'ann+shop@reporter.example, bob+a@reporter.example'
    const shown = await preview({ body: '{{ text }}', text })
    assert.equal(shown.json().text, '[removed], bob+a@reporter.example')
  })

  test('400 that names the place for a variable that the profile does not show', async () => {
    const refused = await send('PUT', `${TEMPLATES}/notice/en`, {
      subject: 'x',
      body: 'Hello\n  {{ case.event_reporters }} {{ nobody.name }} {{ case.nope }}',
    })
    assert.equal(refused.status, 400)
    assert.equal(refused.json().code, 'CASEWORK_TEMPLATE_NOT_VALID')
    const reasons = refused.json().errors.map((one: { reason: string }) => one.reason)
    assert.equal(reasons.length, 3, refused.text)
    assert.ok(
      reasons.some((one: string) =>
        /^Line 2, column \d+: the variable case\.event_reporters/.test(one),
      ),
      refused.text,
    )
  })

  test('400 for text that is no template, reads files, or has no purpose', async () => {
    for (const body of [
      '{{ case.id',
      '{% nope %}',
      '{{ case.id | nope }}',
      '{% include "a" %}',
      '{% render "a" %}',
      '{% layout "a" %}',
    ]) {
      const refused = await send('PUT', `${TEMPLATES}/notice/en`, { subject: 'x', body })
      assert.equal(refused.json().code, 'CASEWORK_TEMPLATE_NOT_VALID', body)
    }
    const named = await send('PUT', `${TEMPLATES}/own-words/en`, { subject: 'x', body: 'y' })
    assert.equal(named.json().code, 'CASEWORK_TEMPLATE_NOT_VALID')
    const language = await send('PUT', `${TEMPLATES}/notice/deutsch-`, { subject: 'x', body: 'y' })
    assert.equal(language.json().code, 'CASEWORK_TEMPLATE_NOT_VALID')
  })

  test('end at their limits of steps, memory and length', () => {
    const loops =
      '{% for a in (1..9000) %}{% for b in (1..9000) %}xxxxxxxxxx{% endfor %}{% endfor %}'
    const grows =
      '{% assign a = "x" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}'
    const long = '{% for a in (1..9000) %}0123456789012{% endfor %}'
    const evil = [
      '{{ now | date: "%0900000000d" }}',
      '{{ text | replace: "y", text }}',
      '{{ text | split: "" | join: text }}',
      '{% assign a = text | split: "" %}{% for i in (1..300) %}{% assign a = a | concat: a %}{% endfor %}',
      '{% for i in (1..100000) %}{% capture a %}{{ a }}{{ text }}{{ a }}{% endcapture %}{% endfor %}',
      '{% tablerow i in (1..1000000) cols:2 %}{{ text }}{% endtablerow %}',
      '{% for i in (1..100000000) %}x{% endfor %}',
    ]
    const view = { text: 'y'.repeat(10_000), now: new Date(0), a: '' }
    for (const text of [loops, grows, long, ...evil]) {
      const parsed = parseTemplate(text)
      assert.ok(parsed.kind === 'parsed')
      assert.equal(renderTemplate(parsed.template, view, 100_000).kind, 'trouble', text)
    }
    assert.equal(parseTemplate('x'.repeat(20_001)).kind, 'trouble')
  })

  test('do not reach what the values inherit', () => {
    for (const text of [
      '{{ case.constructor }}',
      '{{ case.id.constructor.name }}',
      '{{ case.__proto__ }}',
    ]) {
      const parsed = parseTemplate(text)
      assert.ok(parsed.kind === 'parsed')
      const rendered = renderTemplate(parsed.template, { case: { id: 'x' } }, 1_000)
      assert.equal(rendered.kind, 'trouble', text)
    }
  })

  test('of a tenant replace the shipped ones until they are deleted', async () => {
    const path = `${TEMPLATES}/notice/pt-BR`
    const put = await send('PUT', path, { subject: 'Um', body: 'Caso {{ case.id }}' })
    assert.deepEqual(
      [put.status, put.json().version, put.json().language, put.json().profile],
      [200, 1, 'pt-br', 'customer'],
    )
    const again = await send('PUT', path, { subject: 'Dois', body: 'Caso', is_active: false })
    assert.equal(again.json().version, 2)
    assert.equal((await send('GET', path)).json().subject, 'Dois')
    const own = `${TEMPLATES}/receipt/de`
    await send('PUT', own, { subject: 'Danke', body: 'Danke.' })
    assert.equal((await send('GET', own)).json().is_shipped, false)
    assert.equal((await send('DELETE', own)).status, 204)
    assert.equal((await send('GET', own)).json().is_shipped, true)
    assert.equal((await send('DELETE', own)).json().code, 'CASEWORK_TEMPLATE_NOT_FOUND')
    await send('DELETE', path)
    assert.equal((await send('GET', path)).status, 404)
  })

  test('409 beyond 500 templates', async () => {
    await query(
      app.connection,
      `insert into notice_template (tenant_id, id, name, language, purpose, profile, subject, body)
       select 'default', gen_random_uuid(), 'filler-' || n, 'en', 'notice', 'customer', 'x', 'x' from generate_series(1, 500) n`,
    )
    const one = { subject: 'x', body: 'y', purpose: 'notice' }
    const refused = await send('PUT', `${TEMPLATES}/one-more/en`, one)
    assert.equal(refused.json().code, 'CASEWORK_TOO_MANY_TEMPLATES')
    assert.equal((await send('PUT', `${TEMPLATES}/filler-1/en`, one)).status, 200)
  })
})
