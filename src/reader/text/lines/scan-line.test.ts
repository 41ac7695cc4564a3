import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { scanLine } from './scan-line.ts'

function found(line: string): readonly string[] {
  return scanLine(line).map(({ kind, value }) => `${kind} ${value}`)
}

describe('a line', () => {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['from 192.0.2.1.', ['ip 192.0.2.1']],
    ['SRC=192.0.2.1 DST=198.51.100.2', ['ip 192.0.2.1', 'ip 198.51.100.2']],
    ['[192.0.2.1] (198.51.100.2)', ['ip 192.0.2.1', 'ip 198.51.100.2']],
    ['192.0.2.1:8080', ['ip 192.0.2.1']],
    ['IP 192.0.2.1.51000 > 198.51.100.2.53: UDP', ['ip 192.0.2.1', 'ip 198.51.100.2']],
    ['192.0.2.0/24', ['range 192.0.2.0']],
    ['192.0.2.1-192.0.2.9', ['range 192.0.2.1']],
    ['192.0.2.1/32', ['ip 192.0.2.1']],
    ['2001:DB8::0:1 and [2001:db8::2]:443', ['ip 2001:db8::1', 'ip 2001:db8::2']],
    ['[IPv6:2001:db8::1]', ['ip 2001:db8::1']],
    ['2001:db8::/32', ['range 2001:db8::']],
    ['https://evil.example/a.', ['url https://evil.example/a']],
    ['(see <https://evil.example/a_(b)>)', ['url https://evil.example/a_(b)']],
    ['[x](https://evil.example/a)', ['url https://evil.example/a']],
    ['http://192.0.2.1:8080/x', ['url http://192.0.2.1:8080/x']],
    ['evil.example/login.php', ['url http://evil.example/login.php']],
    ['www.evil.example, ok', ['host www.evil.example']],
    ['mail bob@evil.example', ['email evil.example']],
    ['サイトhttps://evil.example/aです', ['url https://evil.example/a']],
    ['bücher.example', ['host xn--bcher-kva.example']],
    ['__https://evil.example/a__', ['url https://evil.example/a']],
    ['https://www.evil.exampleWe write', ['url https://www.evil.example']],
    ['https://evil.exampleNAME-OF-NET', ['url https://evil.example']],
    ['url="https://evil.example/?a=1&amp;b=2" x', ['url https://evil.example/?a=1&b=2']],
    ['<<https://evil.example/a>>', ['url https://evil.example/a']],
    ['HTTPS://EVIL.EXAMPLE/A', ['url HTTPS://EVIL.EXAMPLE/A']],
  ]
  for (const [line, values] of lines) {
    test(`${line} holds ${values.join(', ')}`, () => assert.deepEqual(found(line), values))
  }

  const nothing: readonly string[] = [
    'version 192.0.2.1',
    'Mozilla/5.0 Chrome/192.0.2.1 Safari/192.0.2.1',
    'v192.0.2.1 of the firmware',
    '10.0.0.1 192.168.1.1 127.0.0.1 ::1 fe80::1',
    '12:34:56 and 2026-03-01T12:34:56',
    '00:11:22:33:44:55:66:77',
    'a::b std::string',
    'fe80::1%eth0 2001:db8::1%eth0',
    'report.pdf, access.log and index.php',
    '192.0.2.1.2.3.4',
    '+49.30.123.456 is no address',
    'class.name.of.impl and foo.bar',
    '1.2.0.192.in-addr.nowhere',
    '999.0.2.1 and 192.0.2.256',
  ]
  for (const line of nothing) {
    test(`${line} holds nothing`, () => assert.deepEqual(found(line), []))
  }

  test('names the port of an address', () => {
    const ports = scanLine('192.0.2.1:8080 [2001:db8::1]:443 http://evil.example:81/').map(
      ({ port }) => port,
    )
    assert.deepEqual(ports, [8080, 443, 81])
  })

  test('never throws, and what it finds stands where it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (line) => {
        for (const { column, end } of scanLine(line)) {
          assert.ok(column >= 0 && end > column && end <= line.length)
        }
      }),
    )
  })

  test('finds every public address among any words', () => {
    const ip = fc
      .tuple(fc.constantFrom('192.0.2.', '198.51.100.', '203.0.113.'), fc.nat(255))
      .map(([net, host]) => `${net}${host}`)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('see', 'and', 'then'), ip)), (pairs) => {
        const line = pairs.map(([text, address]) => `${text} ${address}`).join(' ')
        assert.deepEqual(
          scanLine(line).map(({ value }) => value),
          pairs.map(([, address]) => address),
        )
      }),
    )
  })
})
