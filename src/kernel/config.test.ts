import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from './config.ts'
import { OperatingError } from './operating-error.ts'
import { parseCollectorHeaders } from './setting.ts'

function refusalOf(variable: string): string {
  try {
    loadConfig({ flags: {}, environment: { [variable]: 'x' }, file: null })
  } catch (error) {
    assert.ok(error instanceof OperatingError)
    return error.publicMessage
  }
  return ''
}

test('an unknown variable is refused with the nearest that is known, also where a word of it is missing or too many', () => {
  for (const [unknown, known] of [
    ['CASEWORK_PROT', 'CASEWORK_PORT'],
    ['CASEWORK_DATA', 'CASEWORK_DATA_DIR'],
    ['CASEWORK_LOG', 'CASEWORK_LOG_LEVEL'],
    ['CASEWORK_DATABASE_URL', 'DATABASE_URL'],
    ['CASEWORK_HOST_NAME', 'CASEWORK_HOST'],
  ] as const) {
    const says = `Unknown variable ${unknown}; did you mean ${known}?`
    assert.ok(refusalOf(unknown).includes(says), refusalOf(unknown))
  }
  assert.match(
    refusalOf('CASEWORK_BANANA_SPLIT'),
    /BANANA_SPLIT; see docs\/reference\/settings\.md/,
  )
})

test('a configuration file that is no TOML is refused with line and column', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-config-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'casework.toml')
  writeFileSync(path, 'host = "127.0.0.1"\nport =\n')
  assert.throws(
    () => loadConfig({ flags: {}, environment: {}, file: { path, isRequired: true } }),
    (error) =>
      error instanceof OperatingError &&
      error.publicMessage.includes(`${path}, line 2, column 7 cannot be read: Invalid TOML`),
  )
})

const load = (environment: Record<string, string>) =>
  loadConfig({ flags: {}, environment, file: null }).config

test('settings of traces are read from the variables of OpenTelemetry, and off without an endpoint', () => {
  const off = load({})
  assert.deepEqual([off.otlpEndpoint, off.serviceName, off.traceShare], [null, 'casework', 1])
  const config = load({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://192.0.2.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=open%20sesame, x-other=1',
    OTEL_SERVICE_NAME: 'desk',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  assert.deepEqual(
    [config.otlpEndpoint, config.serviceName, config.traceShare],
    ['http://192.0.2.1:4318', 'desk', 0.25],
  )
  assert.deepEqual(parseCollectorHeaders(config.otlpHeaders ?? ''), {
    'x-key': 'open sesame',
    'x-other': '1',
  })
})

test('settings of traces are refused by name when they cannot be used', () => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret@192.0.2.1:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x=%zz'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', 'much'],
  ] as const) {
    assert.throws(() => load({ [name]: value }), { message: new RegExp(name) }, value)
  }
})

test('the role lookup stands alone, and needs a database that somebody else keeps', () => {
  const url = 'postgres://cw@standby.example/casework'
  const roles = { CASEWORK_ROLES: 'lookup', DATABASE_URL: url }
  assert.deepEqual(load(roles).roles, ['lookup'])
  assert.deepEqual(load({}).roles, ['api', 'worker', 'smtp'])
  assert.throws(() => load({ ...roles, CASEWORK_ROLES: 'api,lookup' }), /lookup beside other roles/)
  assert.throws(
    () => load({ CASEWORK_ROLES: 'lookup' }),
    /CASEWORK_ROLES=lookup needs DATABASE_URL/,
  )
  assert.throws(() => load({ ...roles, CASEWORK_DEMO: 'on' }), /CASEWORK_DEMO must be off/)
})

test('the settings for the snapshot of another node are refused when they cannot be used', () => {
  for (const url of [
    'node1.example.org',
    'ftp://n.example',
    'https://u:p@n.example',
    'https://n.example/x',
  ]) {
    assert.throws(
      () => load({ CASEWORK_SNAPSHOT_FROM: url }),
      /CASEWORK_SNAPSHOT_FROM must be/,
      url,
    )
  }
  assert.throws(() => load({ CASEWORK_NODE_SECRET: 'short' }), /must be 32 to 256 characters/)
  const url = 'https://node1.example.org'
  assert.equal(load({ CASEWORK_SNAPSHOT_FROM: url }).snapshotFrom, url)
})
