import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isFooterRow } from './footer-row.ts'

describe('a footer', () => {
  const footers = [
    'Hunters Ltd | Web<https://www.hunters.example> | Forum<http://www.social.example/hunters>',
    'Law Firm | www.law.example | +1 555 0100',
    'Blog <https://a.example/b> • Jobs <https://a.example/j>',
  ]
  for (const line of footers) test(`is ${line}`, () => assert.equal(isFooterRow(line), true))

  const rows = [
    'https://bad.example/a | https://bad.example/b',
    'bad.example<https://bad.example/a> | worse.example<https://worse.example/b>',
    'Page<https://bad.example/a> | Copy<https://bad.example/b> | 192.0.2.1',
    'https://bad.example/a | phishing | 2026-11-03',
    'Web<https://bad.example/a>',
  ]
  for (const line of rows) test(`is not ${line}`, () => assert.equal(isFooterRow(line), false))
})
