import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../vocabulary/event-types.ts'
import { readKindOfFile } from './shadowserver-kinds.ts'

test('the name of the file tells the kind', () => {
  for (const [name, eventType, subtypes] of [
    ['2026-03-01-scan_ntp-provider_example-asn.csv', 'Open', ['ntp']],
    ['2026-03-01-scan6_cwmp_tcp-provider_example-geo.csv', 'Open', ['cwmp']],
    ['2026-03-01-scan_dns-x.csv', 'Open', ['open-resolver']],
    ['2026-03-01-scan_ssl_freak-x.csv.zip', 'SSLFreak', []],
    ['2026-03-01-event4_sinkhole-x.csv', 'Bot', []],
    ['2026-03-01-event6_sinkhole_http-x.csv', 'Bot', []],
    ['botnet_drone.csv', 'Bot', []],
    ['2026-03-01-event4_honeypot_brute_force-x.csv', 'LoginAttack', []],
    ['2026-03-01-event4_honeypot_ddos_amp-x.csv', 'DDosAmplification', []],
    ['2026-03-01-event4_ddos_participant-x.csv', 'DDos', []],
    ['2026-03-01-event4_honeypot_darknet-x.csv', 'PortScan', []],
    ['2026-03-01-event4_ip_spoofer-x.csv', 'IpSpoof', []],
    ['archive.zip/2026-03-01-blocklist-x.csv', 'Blacklist', []],
    ['2026-03-01-compromised_website-x.csv', 'CompromisedWebsite', []],
    ['2026-03-01-scan_http_vulnerable-x.csv', 'CVE', []],
    ['cve-2021-44228.csv', 'CVE', []],
    [
      '2026-03-01-scan_post_exploitation_framework-x.csv',
      'Malware',
      ['post-exploitation-framework'],
    ],
    ['2026-03-01-scan6_post_exploitation-x.csv', 'Malware', ['post-exploitation-framework']],
    ['2026-03-01-scan_synful_knock-x.csv', 'Backdoor', []],
    ['2026-03-01-scan_ddos_middlebox-x.csv', 'Open', ['ddos-middlebox']],
    ['2026-03-01-event4_sandbox_conn-x.csv', 'Malware', []],
    ['2026-03-01-compromised-account-x.csv', 'CompromisedAccount', []],
    ['2026-03-01-blocked_account-x.csv', 'CompromisedAccount', []],
    ['compromised-account.csv', 'CompromisedAccount', []],
    ['2026-03-01-compromised-x.csv', 'CompromisedServer', []],
    ['phishing-urls_2026-03-01.csv', 'Phishing', []],
  ] as const) {
    const kind = readKindOfFile(name)
    assert.equal(kind?.eventType, eventType, name)
    assert.deepEqual(kind?.eventSubtypes, subtypes, name)
    assert.ok(EVENT_TYPES.has(eventType))
  }
})

test('null for a name that tells nothing', () => {
  for (const name of [
    '',
    'list.csv',
    'report.csv',
    '2026-03-01-special-x.csv',
    `${'a'.repeat(100_000)}.csv`,
  ]) {
    assert.equal(readKindOfFile(name), null, name.slice(0, 40))
  }
})
