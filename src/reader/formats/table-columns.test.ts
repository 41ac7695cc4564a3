import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  guessRoleByName,
  guessRoleByValues,
  readTableHead,
  type TableHead,
  type TableRow,
} from './table-columns.ts'

function rowsOf(...lines: readonly string[]): readonly TableRow[] {
  return lines.map((line, index) => ({ cells: line.split(','), line: index + 1 }))
}

function rolesOf(head: TableHead | null): string {
  return (head?.roles ?? []).map((role) => role ?? '?').join(' ')
}

test('a column is known by its name in many spellings', () => {
  for (const [role, names] of Object.entries({
    ip: [
      'ip',
      'IP Address',
      'src_ip',
      'sourceIp',
      'Source IP',
      'Quell-IP',
      'IP origen',
      'Adresse IP',
      '"ip"',
    ],
    target_ip: ['dst_ip', 'Destination IP Address', 'Ziel-IP', 'victim ip', 'our IP'],
    port: ['port', 'src_port', 'Source Port', 'Quellport'],
    target_port: ['dst_port', 'dport', 'Zielport', 'Puerto destino'],
    time: ['timestamp', 'Time (UTC)', 'event time', 'Zeitstempel', 'Date/Time'],
    url: ['url', 'Infringing URL', 'phishing_url', 'Malicious link'],
    malware: ['infection', 'family', 'malware name', 'Infektion'],
    cve: ['cve', 'CVE ID'],
    asn: ['asn', 'AS'],
    geo: ['geo', 'country', 'cc'],
    hostname: ['hostname', 'rDNS'],
  })) {
    for (const name of names) assert.equal(guessRoleByName(name), role, name)
  }
})

test('a column about addresses or links that holds no reported one has no such role', () => {
  for (const name of [
    'ip_geo',
    'ip_asn',
    'reference url',
    'Evidence URL',
    'screenshot link',
    'packets',
  ]) {
    assert.ok(!['ip', 'url'].includes(guessRoleByName(name) ?? ''), name)
  }
  assert.equal(guessRoleByName('the list of urls that we have found in your network'), null)
})

test('values tell a column when four of five are of one kind', () => {
  assert.equal(guessRoleByValues(['192.0.2.1', '2001:db8::1', '192[.]0[.]2[.]3']), 'ip')
  assert.equal(guessRoleByValues(['http://a.example/', 'hxxps://b[.]example/x']), 'url')
  assert.equal(guessRoleByValues(['2026-02-28 10:00:00']), 'time')
  assert.equal(guessRoleByValues(['CVE-2021-44228']), 'cve')
  assert.equal(guessRoleByValues(['192.0.2.1', 'x', 'y']), null)
  assert.equal(guessRoleByValues([]), null)
})

test('the header is found below a title and comments, also when it is a comment itself', () => {
  const title = readTableHead(
    rowsOf('Malware URLs of today', ',,', 'No,URL,Date', '1,http://a.example/,2026-02-01'),
  )
  assert.equal(title?.start, 3)
  assert.equal(rolesOf(title), '? url time')
  const comment = readTableHead(
    rowsOf('# made-up list', '# id,dateadded,url', '1,2026-02-01,http://a.example/'),
  )
  assert.equal(rolesOf(comment), 'case_id time url')
})

test('without a header the values tell, the second address being the target', () => {
  const head = readTableHead(
    rowsOf('2026-02-01,192.0.2.1,5,198.51.100.1', '2026-02-02,192.0.2.2,6,198.51.100.1'),
  )
  assert.equal(rolesOf(head), 'time ip ? target_ip')
  assert.equal(head?.hasHeader, false)
})

test('a column without a telling name is known by its values', () => {
  assert.equal(rolesOf(readTableHead(rowsOf('port,tag,what', '22,ssh,192.0.2.1'))), 'port tag ip')
})

function rolesOfNames(names: string): string {
  return rolesOf(readTableHead(rowsOf(`port,tag,${names}`, '22,ssh,192.0.2.1,198.51.100.1')))
}

test('columns of the attacked and of the reporter hold nobody who is reported', () => {
  assert.equal(rolesOfNames('Victim address,Attacker address'), 'port tag target_ip ip')
  assert.equal(rolesOfNames('Attacker address,Victim address'), 'port tag ip target_ip')
  assert.equal(rolesOfNames('Reporter IP,IP'), 'port tag ? ip')
  assert.equal(rolesOfNames('Reporter,what'), 'port tag ? ip')
  assert.equal(rolesOfNames('Reporter IP,Visitor'), '')
})

test('date and clock are one time together, and each is the time alone', () => {
  assert.equal(
    rolesOf(readTableHead(rowsOf('date,time,ip', '2026-02-01,10:00,192.0.2.1'))),
    'date clock ip',
  )
  assert.equal(rolesOf(readTableHead(rowsOf('date,ip', '2026-02-01,192.0.2.1'))), 'time ip')
})

test('null for a table that names nobody, and for prose that is not named as a table', () => {
  assert.equal(readTableHead(rowsOf('product,price', 'tea,3')), null)
  assert.equal(readTableHead([]), null)
  const prose = rowsOf('Hello, all, of you', 'the address is, 192.0.2.1, as you know')
  assert.equal(readTableHead(prose, { isStrict: true }), null)
})
