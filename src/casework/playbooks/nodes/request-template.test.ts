// Values in requests to other systems: none of them leaves its place.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { NO_FACTS } from '../case-facts.ts'
import {
  createTemplateView,
  readJsonTemplate,
  readTextTemplate,
  readUrlTemplate,
} from './request-template.ts'
import { createValueReader, ValueTrouble } from './value-config.ts'

const problems: string[] = []
const READING = {
  refuse(_: unknown, reason: string) {
    problems.push(reason)
    return null
  },
}

function viewOf(vars: Record<string, unknown>) {
  return createTemplateView({ ...NO_FACTS, vars })
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '../..',
    '..',
    '.',
    '%2e%2e',
    '%2F',
    'a/b',
    'a?b=c',
    'a#b',
    'a&b=c',
    '@evil.example/',
    '"}',
    '\\',
    '\r\nx: y',
    '{{ now }}',
    '',
  ),
)

test('a value can change neither host nor path nor parameters of a URL', () => {
  const url = 'https://api.example/v1/{{ vars.id }}/close?q={{ vars.q }}&fixed=1'
  const template = readUrlTemplate(url, 'url', READING)
  assert.ok(template)
  let sent = 0
  fc.assert(
    fc.property(hostile, hostile, (id, q) => {
      let text: string
      try {
        text = template.render(viewOf({ id, q }))
      } catch (error) {
        assert.ok(error instanceof ValueTrouble)
        return
      }
      sent += 1
      const parsed = new URL(text)
      assert.equal(parsed.origin, 'https://api.example')
      const segments = parsed.pathname.split('/')
      assert.deepEqual([segments.length, segments[1], segments[3]], [4, 'v1', 'close'])
      assert.equal(decodeURIComponent(segments[2] ?? ''), id)
      assert.deepEqual([...parsed.searchParams.keys()], ['q', 'fixed'])
      assert.equal(parsed.searchParams.get('q'), q)
      assert.equal(parsed.hash, '')
    }),
  )
  assert.ok(sent > 10)
  for (const id of ['..', '.', '']) {
    assert.throws(() => template.render(viewOf({ id, q: 'x' })), ValueTrouble)
  }
  const render = (text: string, id: string) =>
    readUrlTemplate(text, 'url', READING)?.render(viewOf({ id, q: 'x' }))
  for (const end of ['', '?q={{ vars.q }}']) {
    const last = `https://api.example/v1/{{ vars.id }}${end}`
    assert.throws(() => render(last, ''), ValueTrouble, 'the last segment names all')
    assert.match(render(last, '7') ?? '', /\/v1\/7/)
  }
  assert.equal(render('https://api.example/v1/{{ vars.id }}/', '7'), 'https://api.example/v1/7/')
  assert.throws(() => render('https://api.example/v1/{{ vars.id }}/', ''), ValueTrouble)
})

test('a value stays one string of the JSON, and an expression keeps its type', () => {
  const given = {
    text: 'Case {{ vars.x }}!',
    list: ['{{ vars.x }}', 1, null],
    n: { cel: 'vars.n' },
  }
  const template = readJsonTemplate(given, ['body'], READING)
  assert.ok(template)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (x) => {
      const vars = { x, n: x.length }
      const built = template.build(viewOf(vars), createValueReader({ ...NO_FACTS, vars }))
      const back: unknown = JSON.parse(JSON.stringify(built))
      assert.deepEqual(back, { text: `Case ${x}!`, list: [x, 1, null], n: x.length })
    }),
  )
})

test('what could write past the escaping, a host from a value, and unknown variables are refused', () => {
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['https://{{ vars.host }}/x', /host takes no template/],
    ['https://api.example{{ vars.x }}/x', /slash or a question mark/],
    ['https://user@api.example/{{ vars.x }}', /slash or a question mark/],
    ['{{ vars.url }}', /must be an absolute https URL/],
    ['ftp://api.example/{{ vars.x }}', /must be an absolute https URL/],
    ['https://api.example/{{ vars.x | raw }}', /undefined filter: raw/],
    ['https://api.example/{% echo vars.x %}', /tag "echo" not found/],
    ['https://api.example/{% cycle vars.x %}', /tag "cycle" not found/],
    ['https://api.example/{% liquid echo vars.x %}', /tag "liquid" not found/],
    ['https://api.example/{{ secret.x }}', /there is no variable secret.x/],
    ['https://api.example/{{ case.nothing }}', /there is no variable case.nothing/],
    ['https://api.example/{{ vars.x', /not closed/],
  ]
  for (const [url, reason] of refusals) {
    problems.length = 0
    assert.equal(readUrlTemplate(url, 'url', READING), null, url)
    assert.match(problems.join(), reason, url)
  }
})

test('templates that run on are stopped, and a missing value is trouble', () => {
  const endless = readTextTemplate(
    '{% for a in (1..99999) %}{% for b in (1..99999) %}x{% endfor %}{% endfor %}',
    ['body'],
    READING,
  )
  assert.throws(() => endless?.render(viewOf({})), ValueTrouble)
  const missing = readTextTemplate('{{ vars.none }}', ['body'], READING)
  assert.throws(() => missing?.render(viewOf({})), ValueTrouble)
  const spent = { ...viewOf({ none: 1 }), budget: { left: 0 } }
  assert.throws(() => missing?.render(spent), /more than 50000 steps/)
})
