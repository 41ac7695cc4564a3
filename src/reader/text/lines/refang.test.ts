import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { refang, unwrapUrl } from './refang.ts'

describe('refang', () => {
  const written: readonly (readonly [string, string])[] = [
    ['hxxp://evil.example/a', 'http://evil.example/a'],
    ['hXXps://evil[.]example/a[.]php', 'https://evil.example/a.php'],
    ['htxps://evil(.)example', 'https://evil.example'],
    ['h**p://evil{.}example', 'http://evil.example'],
    ['hxxps[:]//evil[.]example', 'https://evil.example'],
    ['http[://]evil[dot]example', 'http://evil.example'],
    ['HXXPS[:]//EVIL[.]EXAMPLE/PATH', 'https://EVIL.EXAMPLE/PATH'],
    ['meow://evil.example', 'http://evil.example'],
    ['hxxp:// evil.example', 'http://evil.example'],
    ['hxxp:\\\\evil.example', 'http://evil.example'],
    ['evil (dot) example', 'evil.example'],
    ['evil dot example', 'evil.example'],
    ['192 dot 0 dot 2 dot 142', '192.0.2.142'],
    ['192(dot)0 [dot] 2(dot)1', '192.0.2.1'],
    ['evil[.example', 'evil.example'],
    ['evil\\.example', 'evil.example'],
    ['192[.]0[.]2[.]1', '192.0.2.1'],
    ['2001[:]db8[:][:]1', '2001:db8::1'],
    ['fxp://evil.example', 'ftp://evil.example'],
    ['name[at]evil[punkt]example', 'name@evil.example'],
    ['https [://] login [.] bad [.] example/in', 'https://login.bad.example/in'],
    ['https[://]bad.example[/]NEW[/]auth[/]', 'https://bad.example/NEW/auth/'],
    ['hXXp bad.example/path', 'http://bad.example/path'],
    ['hxxps: bad.example/path', 'https://bad.example/path'],
    ['hxxps //bad.example/path', 'https://bad.example/path'],
    ['hxxps : / / bad.example', 'https://bad.example'],
    ['hxxps [:] // bad.example', 'https://bad.example'],
    ['https : //bad.example', 'https://bad.example'],
    ['wallet [.] bad [.] example', 'wallet.bad.example'],
    ['wallet [dot] bad [dot] example', 'wallet.bad.example'],
    ['192 [.] 0 [.] 2 [.] 1', '192.0.2.1'],
    ['[https://]bad.example', 'https://bad.example'],
    ['[hxxps]://bad.example', 'https://bad.example'],
    ['(h)ttps://bad.example', 'https://bad.example'],
    ['http(s)://bad.example', 'https://bad.example'],
    ['[www].bad.example', 'www.bad.example'],
    ['ttps://bad.example', 'https://bad.example'],
    ['h++ps://bad.example', 'https://bad.example'],
    ['h..p://bad.example', 'http://bad.example'],
    ['hххp://bad.example', 'http://bad.example'],
    ['__hxxps://bad.example__', '__https://bad.example__'],
    ['bad<.>example', 'bad.example'],
    ['bad".".example', 'bad".".example'],
    ['bad"."example', 'bad.example'],
    ['bad．example', 'bad.example'],
    ['hxxp://bad.example/x[?]a[=]b[&]c[=]d', 'http://bad.example/x?a=b&c=d'],
  ]
  for (const [from, to] of written) {
    test(`reads ${from}`, () => assert.equal(refang(from), to))
  }

  const plain = [
    'See [1] and (2). End.',
    'https://a.example/x?y=(z)',
    'Mar 1 00:00:01 [x]',
    'Apply the [/etc/x.conf] of [this] page',
    'The php: run.sh and a help: page',
    'hops: 192.0.2.1',
  ]
  for (const text of plain) {
    test(`leaves ${text}`, () => assert.equal(refang(text), text))
  }

  const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,10}[a-z0-9])?$/)
  const url = fc
    .tuple(fc.constantFrom('http', 'https'), label, label, fc.stringMatching(/^[a-z0-9/]{0,20}$/))
    .map(([scheme, name, path, rest]) => `${scheme}://${name}.example/${path}${rest}`)
  const marks = fc.constantFrom('[.]', '(.)', '{.}', '[dot]', '(dot)', ' [.] ')
  const schemes = fc.constantFrom('hxxp', 'hXXp', 'htxp', 'h**p', 'hxtp')

  test('undoes every way to defang a link', () => {
    fc.assert(
      fc.property(url, marks, schemes, (text, mark, scheme) => {
        const defanged = text.replace('http', scheme).replaceAll('.', mark.trim())
        assert.equal(refang(defanged), text)
      }),
    )
  })

  test('undoes every way to defang an address', () => {
    fc.assert(
      fc.property(fc.ipV4(), marks, (ip, mark) => {
        assert.equal(refang(ip.replaceAll('.', mark.trim())), ip)
      }),
    )
  })

  test('changes nothing a second time', () => {
    fc.assert(
      fc.property(url, (text) => {
        assert.equal(refang(refang(text)), text)
      }),
    )
  })
})

describe('unwrapUrl', () => {
  const inner = 'https://evil.test/a?b=1'
  const encoded = encodeURIComponent(inner)
  const wrapped: readonly string[] = [
    `https://eur01.safelinks.mailguard.example/?url=${encoded}&data=05%7C&reserved=0`,
    `https://urldefense.example/v3/__https://evil.test/a?b=1__;!!ab!cd$`,
    'https://urldefense.example/v2/url?u=https-3A__evil.test_a-3Fb-3D1&d=Dw&c=x',
    `https://linkprotect.example/cloud?a=1&u=${encodeURIComponent(`https://safelinks.x.example/?url=${encoded}`)}`,
  ]
  for (const url of wrapped) {
    test(`finds the link in ${url.slice(8, 34)}…`, () => assert.equal(unwrapUrl(url), inner))
  }

  test('keeps a link that only redirects: its own host serves it', () => {
    const url = `https://evil.test/out?url=${encodeURIComponent('https://bank.example/')}`
    assert.equal(unwrapUrl(url), url)
  })
})
