import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listRegistry } from './list-registry.ts'

const RECORDS: Readonly<Record<string, string>> = {
  'of a network':
    'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: X\norganisation: ORG-X\nabuse-mailbox: abuse@a.example',
  'of an American network':
    'OrgName: A\nOrgId: A-1\nComment: report phishing at https://a.example/\n\nOrgAbuseEmail: abuse@a.example',
  'of a registrar':
    'Registrar: A Inc\nRegistrar URL: https://a.example/\nName Server: NS1.A.EXAMPLE\nDNSSEC: unsigned',
  'with name servers below their field':
    '  Registrar: A\n  Registrant: B\n  Name Servers:\n    ns1.a.example 198.51.100.1\n    ns2.a.example',
  'in JSON':
    '{\n  "objectClassName": "ip network",\n  "links": [ { "value": "https://rdap.a.example/" } ],\n  "port43": "whois.a.example"\n}',
  'that is quoted': '> netname: X\n> country: ZZ\n> admin-c: A1-RIR',
}

describe('a record of a registry', () => {
  for (const [layout, record] of Object.entries(RECORDS)) {
    test(`${layout} is found as a whole`, () => {
      const lines = record.split('\n')
      const ranges = listRegistry(['192.0.2.9 attacks us.', ...lines, '', 'Regards'])
      assert.deepEqual(ranges, [[1, lines.length]])
    })
  }

  for (const form of [
    'CIDR: 192.0.2.0/24',
    'Source: 192.0.2.1\nCountry: ZZ\nAddress: street 1',
    'Netname: X\nIP: 192.0.2.1\nType: spam\nRegistrar: A',
    '{\n  "ip": "192.0.2.1",\n  "type": "spam"\n}',
  ]) {
    test(`is not ${JSON.stringify(form)}`, () => {
      assert.deepEqual(listRegistry(form.split('\n')), [])
    })
  }

  test('leaves out the row of a form above it that says who did it', () => {
    const lines = ['Source: 192.0.2.1', 'netname: X', 'descr: Y', 'mnt-by: Z']
    assert.deepEqual(listRegistry(lines), [[1, 3]])
  })
})
