import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readHtml } from './html-text.ts'

function readHtmlLines(html: string, lengthMax?: number): readonly string[] {
  return readHtml(html, lengthMax).lines
}

test('blocks, breaks and white space become lines', () => {
  assert.deepEqual(
    readHtmlLines(
      '<p>One \n  two<b>three</b></p><div>four<br>five<br><br>six</div>seven<ul><li>a<li>b</ul>',
    ),
    ['One twothree', 'four', 'five', '', 'six', 'seven', 'a', 'b'],
  )
  assert.deepEqual(readHtmlLines('<pre>a  b\n  c</pre>d'), ['a  b', '  c', 'd'])
})

test('entities are decoded, zero-width characters dropped', () => {
  assert.deepEqual(
    readHtmlLines('a &amp; b&nbsp;&lt;c&gt; &#x41;&#66; &unknown; 19\u200b2.0&shy;.2.1'),
    ['a & b <c> AB &unknown; 192.0.2.1'],
  )
})

test('a row of a table is one line, empty cells kept; a layout table is no row', () => {
  assert.deepEqual(
    readHtmlLines(
      '<table><thead><tr><th>IP<th>Port</tr></thead><tr><td><p>192.0.2.1</p></td><td></td><td>22<br>23</td></tr></table>after',
    ),
    ['IP | Port', '192.0.2.1 |  | 22 23', 'after'],
  )
  assert.deepEqual(
    readHtmlLines(
      '<table><tr><td><p>one</p><p>two</p><table><tr><td>k</td><td>v</td></tr></table></td></tr></table>',
    ),
    ['one', 'two', 'k | v'],
  )
})

test('the target of a link is shown when its text does not say it', () => {
  assert.deepEqual(
    readHtmlLines(
      '<a href="https://bad.example/x?a=1&amp;b=2">click</a> <a href="http://www.bad.example/">bad.example</a> <a href="mailto:a@example.com">A</a> <a href="#top">up</a>',
    ),
    ['click <https://bad.example/x?a=1&b=2> bad.example A <a@example.com> up'],
  )
})

test('what stands apart on the screen is not glued to a link', () => {
  const glued: readonly (readonly [string, readonly string[]])[] = [
    [
      '<a href="https://bad.example/x">https://bad.example/x</a>We write',
      ['https://bad.example/x We write'],
    ],
    [
      '<span>https://bad.example/x</span><span>https://bad.example/y</span>',
      ['https://bad.example/x https://bad.example/y'],
    ],
    ['<span>hxxps://bad.example</span><b>We write</b>', ['hxxps://bad.example We write']],
    [
      '<span style="display:block">https://bad.example/x</span><span style="display: block">NET</span>',
      ['https://bad.example/x', 'NET'],
    ],
    ['https://<b>bad</b>.example/<i>x</i>', ['https://bad.example/x']],
    ['https://bad.example/<b>X</b>y/<wbr>z', ['https://bad.example/Xy/z']],
  ]
  for (const [html, lines] of glued) assert.deepEqual(readHtmlLines(html), lines)
})

test('what nobody sees is dropped, but never the whole page', () => {
  assert.deepEqual(
    readHtmlLines(
      '<title>t</title><style>p{}</style><script>x<y</script><div style="display: none">a<div>b</div>c</div><span hidden>d</span>e<!-- f -->',
    ),
    ['e'],
  )
  assert.deepEqual(readHtmlLines('<div style="display:none">only'), ['only'])
  for (const style of [
    'visibility:hidden',
    'opacity: 0',
    'font-size:0px',
    'font-size: 0 !important',
  ]) {
    assert.deepEqual(readHtmlLines(`a<p style="${style}; color: red">b</p>`), ['a'], style)
  }
  for (const style of ['visibility:visible', 'opacity: 0.8', 'font-size:0.9em']) {
    assert.deepEqual(readHtmlLines(`<p style="${style}">b</p>`), ['b'], style)
  }
})

test('quoted threads are marked, indented text is not', () => {
  assert.deepEqual(
    readHtmlLines(
      'new<blockquote type="cite">old<br>older</blockquote><blockquote>log</blockquote><blockquote class="gmail_quote">x',
    ),
    ['new', '> old', '> older', 'log', '> x'],
  )
})

test('output is bounded and hostile nesting costs no more than its length', () => {
  assert.equal(readHtmlLines('x '.repeat(10_000), 100).join('\n').length <= 100, true)
  for (const html of [
    '<div>'.repeat(100_000),
    '<table><tr><td>x'.repeat(60_000),
    '<b>'.repeat(100_000) + '</i>'.repeat(100_000),
    '<blockquote type=cite>x'.repeat(50_000),
    '&amp;'.repeat(500_000),
    '<a href=x>y'.repeat(100_000),
    `<a ${'x=1 '.repeat(500_000)}>`,
    '<br>'.repeat(500_000),
    '<'.repeat(500_000),
    '<!--'.repeat(300_000),
  ]) {
    assert.ok(readHtmlLines(`${html}end`).length >= 0)
  }
})

test('no text makes it throw', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    'a',
    '</',
    '<td>',
    '<tr>',
    '</table>',
    '<table>',
    '&#',
    '&#x110000;',
    '"',
    '=',
    'href',
    '<a ',
    '\u0000',
    ' ',
    '<pre>',
    '<br/>',
    '<![CDATA[',
    '-->',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
      assert.ok(Array.isArray(readHtmlLines(list.join(''))))
    }),
    { numRuns: 200 },
  )
})

test('what is cut says so', () => {
  assert.equal(readHtml('<p>a</p>', 100).isCut, false)
  assert.equal(readHtml('x '.repeat(1_000), 100).isCut, true)
  assert.equal(readHtml(`<p>a</p>${'<br class="x">'.repeat(1_000)}`, 100).isCut, true)
})
