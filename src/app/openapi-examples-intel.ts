// Examples of the additions to threat intelligence; see openapi-examples.ts.

import type { OperationExamples } from './openapi-examples.ts'

const RANGE = {
  status: 'success',
  statusCode: 200,
  result: {
    range: '192.0.2.0/24',
    serial: 4711,
    addresses: 1,
    ranges: 0,
    kinds: { listing: 1, allowance: 0, tagging: 0, sighting: 1 },
    tags: [{ name: 'credentials:ssh-brute-force', count: 1 }],
    sources: [
      { name: 'example-list', kind: 'mail-blocklist', count: 1 },
      { name: 'trap-1', kind: 'honeypot', count: 1 },
    ],
    coveredBy: [],
    items: [
      {
        item: '192.0.2.1',
        serviceMailBlocklist: 'ACTIVE',
        intent: 'malicious',
        activity: true,
        tags: ['credentials:ssh-brute-force'],
        firstSeen: '2026-11-01T08:15:00.000Z',
        lastSeen: '2026-11-20T21:40:12.000Z',
      },
    ],
    next: '',
  },
}

const SIGHTING_DAYS = {
  status: 'success',
  statusCode: 200,
  result: {
    item: '192.0.2.1',
    by: 'type',
    total: 14,
    complete: true,
    days: [
      { date: '2026-11-19', count: 9 },
      { date: '2026-11-20', count: 5 },
    ],
    top: [
      { value: 'login-attack', count: 12, days: [8, 4] },
      { value: 'port-scan', count: 2, days: [1, 1] },
    ],
  },
}

const DESCRIPTION = {
  description: 'Networks that were taken over.',
  origin: 'Example Lists, https://lists.example.org/',
  licence: 'Free to use with credit.',
  ttlSeconds: 172_800,
  fetch: {
    url: 'https://lists.example.org/drop.txt',
    format: 'plain',
    name: 'drop',
    intervalSeconds: 43_200,
    enabled: true,
  },
}

const SOURCE = {
  kind: 'mail-blocklist',
  name: 'drop',
  state: 'fresh',
  entries: 1_024,
  heardAt: '2026-11-20T21:40:12.000Z',
  serial: 4711,
  createdAt: '2026-11-01T08:15:00.000Z',
  ...DESCRIPTION,
}

const TAG = {
  intent: 'malicious',
  category: 'activity',
  description: 'Seen by our own desk.',
  references: [{ url: 'https://example.org/desk', description: 'How it is found' }],
  timeline: [{ date: '2026-11-01', action: 'created', description: 'First version.' }],
}

const ONE_TAG = { status: 'success', statusCode: 200, result: { name: 'desk:seen', ...TAG } }

const ONE_SOURCE = { status: 'success', statusCode: 200, result: SOURCE }

export const INTEL_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  'GET /beta/tags/{name}/ips': {
    responses: {
      200: {
        status: 'success',
        statusCode: 200,
        result: {
          tag: 'credentials:ssh-brute-force',
          entries: ['192.0.2.1', '198.51.100.0/24', '2001:db8::1'],
          lastUpdate: '2026-11-20T21:40:12.000Z',
          total: 3,
          snapshot: '4711.12',
        },
      },
    },
  },
  'GET /beta/ranges/{cidr}': { responses: { 200: RANGE } },
  'GET /beta/ranges/{address}/{prefixLength}': { responses: { 200: RANGE } },
  'GET /beta/sightings': { responses: { 200: SIGHTING_DAYS } },
  'GET /beta/sources': {
    responses: { 200: { status: 'success', statusCode: 200, result: [SOURCE] } },
  },
  'GET /beta/sources/{kind}/{name}': { responses: { 200: ONE_SOURCE } },
  'GET /beta/sources/{kind}/{name}/history': {
    responses: {
      200: {
        status: 'success',
        statusCode: 200,
        result: {
          from: '2026-10-22',
          to: '2026-11-20',
          days: [
            { date: '2026-11-19', entries: 1_022, added: 14, removed: 3, syncs: 2 },
            { date: '2026-11-20', entries: 1_024, added: 9, removed: 7, syncs: 1 },
          ],
        },
      },
    },
  },
  'PUT /beta/sources/{kind}/{name}': { request: DESCRIPTION, responses: { 200: ONE_SOURCE } },
  'PUT /beta/tags/{name}': {
    request: TAG,
    responses: { 200: ONE_TAG, 201: { ...ONE_TAG, statusCode: 201 } },
  },
  'POST /beta/sources/{kind}/{name}/fetch': {
    responses: {
      200: {
        status: 'success',
        statusCode: 200,
        result: { outcome: 'replaced', accepted: 1_024, removed: 12, refused: 0 },
      },
    },
  },
}
