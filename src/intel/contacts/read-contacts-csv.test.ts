import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ContactEntry, readContactsCsv } from './read-contacts-csv.ts'

async function read(text: string): Promise<ContactEntry[]> {
  async function* chunks(): AsyncGenerator<string> {
    yield text
  }
  const entries: ContactEntry[] = []
  for await (const entry of readContactsCsv(chunks(), 'desk')) entries.push(entry)
  return entries
}

test('ranges, domains, quotes and sources are read, a header and comments passed over', async () => {
  const text = [
    'range,email,source',
    '# ours',
    '192.0.2.9/24,abuse@example.com',
    '"example.com", "abuse@example.net" ,registry',
    '',
    '2001:db8::1,abuse@example.com,',
  ].join('\r\n')
  assert.deepEqual(await read(text), [
    {
      kind: 'row',
      lineNumber: 3,
      row: { range: '192.0.2.0/24', email: 'abuse@example.com', source: 'desk' },
    },
    {
      kind: 'row',
      lineNumber: 4,
      row: { domain: 'example.com', email: 'abuse@example.net', source: 'registry' },
    },
    {
      kind: 'row',
      lineNumber: 6,
      row: { range: '2001:db8::1', email: 'abuse@example.com', source: 'desk' },
    },
  ])
})

test('every line that says nothing readable is refused with its number', async () => {
  const text =
    'nothing\n192.0.2.1\n192.0.2.1,\n"open,a@example.com\n192.0.2.1,a@example.com,s,more\n'
  const entries = await read(text)
  assert.deepEqual(
    entries.map(({ kind, lineNumber }) => [kind, lineNumber]),
    [1, 2, 3, 4, 5].map((line) => ['refused', line]),
  )
})

test('a hostile line of 60,000 spaces is refused at once', async () => {
  const entries = await read(`192.0.2.1,a${' '.repeat(60_000)}"b\n`)
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['refused'],
  )
})
