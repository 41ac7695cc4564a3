import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { joinWrapped } from './join-wrapped.ts'

const HEAD = 'http://evil.example/a-path-that-is-long-enough-to-be-broken-in-its-middle-'

describe('a link broken over lines', () => {
  test('is whole in its first line', () => {
    assert.deepEqual(joinWrapped([HEAD, 'rest/of?it=1', 'next']), [
      `${HEAD}rest/of?it=1`,
      '',
      'next',
    ])
  })

  test('is whole over three lines', () => {
    const middle = 'm'.repeat(70)
    assert.deepEqual(joinWrapped([HEAD, middle, 'end.html']), [`${HEAD}${middle}end.html`, '', ''])
  })

  test('leaves the words behind its end', () => {
    assert.deepEqual(joinWrapped([HEAD, 'x.html was seen']), [`${HEAD}x.html`, ' was seen'])
  })

  test('is joined in angle brackets however short the line', () => {
    assert.deepEqual(joinWrapped(['<http://evil.example/', 'a/b> ok']), [
      '<http://evil.example/a/b>',
      ' ok',
    ])
  })
})

describe('a link that a mailer broke', () => {
  const link = 'https://wrapped.example/a-long-path-that-goes-on-and-on-and-on-'

  test('behind a hyphen before its line was full is whole', () => {
    assert.deepEqual(joinWrapped([link, 'until-the-line-ends/login', 'x']), [
      `${link}until-the-line-ends/login`,
      '',
      'x',
    ])
  })

  test('ends at a hyphen in a short line, and before a sentence', () => {
    const short = ['https://wrapped.example/a-', 'b/login']
    assert.deepEqual(joinWrapped(short), short)
    const sentence = [link, 'the page and/or others']
    assert.deepEqual(joinWrapped(sentence), sentence)
  })

  test('and folded with a blank is whole', () => {
    assert.deepEqual(joinWrapped([HEAD, ' rest/of?it=1']), [`${HEAD}rest/of?it=1`, ''])
  })
})

describe('a link at the end of a line', () => {
  for (const next of [
    'http://other.example/',
    '192.0.2.1',
    'Source: x',
    '- item',
    '',
    '  indented',
    'The page was seen today',
    'www.other.example',
  ]) {
    test(`is not joined with “${next}”`, () => {
      assert.deepEqual(joinWrapped([HEAD, next]), [HEAD, next])
    })
  }

  test('of a short line is not joined', () => {
    const lines = ['http://evil.example/a', 'b/c']
    assert.deepEqual(joinWrapped(lines), lines)
  })
})
