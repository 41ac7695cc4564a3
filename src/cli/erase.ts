// `casework erase <address>`: erases a person's address through the running server, request by request until it is done. The address is in the
// body of the requests only, so that no log has it.

import { createInterface } from 'node:readline/promises'
import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { escapeControls } from './format-table.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

// Each works for five seconds: more than a day.
const REQUESTS_MAX = 20_000

export async function runErase(
  address: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const isPreview = flags['preview'] === true
  if (!isPreview && flags['yes'] !== true) {
    if (!process.stdin.isTTY || !process.stderr.isTTY) {
      throw new CommandFailure(
        'It cannot be undone: look with --preview first, then say --yes.',
        EXIT.usage,
      )
    }
    show(await request(client, { address, preview: true }), flags)
    if (!(await confirm())) throw new CommandFailure('Nothing was erased.', EXIT.failure)
  }
  show(await request(client, { address, preview: isPreview }), flags)
}

async function confirm(): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question('Erase it? It cannot be undone. [y/N] ')).trim() === 'y'
  } finally {
    lines.close()
  }
}

/** The erasure when it is done. */
async function request(
  client: ApiClient,
  json: { readonly address: string; readonly preview: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  for (let count = 0; count < REQUESTS_MAX; count += 1) {
    const path = '/beta/casework/erasures'
    const erasure = readJsonAnswer(await client.send({ method: 'POST', path, json }))
    if (erasure['state'] !== 'under_way') return erasure
  }
  throw new CommandFailure('It is not done yet; run the same command again.', EXIT.failure)
}

function show(
  erasure: Readonly<Record<string, unknown>>,
  flags: Readonly<Record<string, unknown>>,
): void {
  if (flags['output'] === 'json') {
    process.stdout.write(`${JSON.stringify(erasure, null, 2)}\n`)
    return
  }
  const verb = erasure['preview'] === true ? 'would be changed' : 'changed'
  const lines = [
    ...describe(erasure['changed'], verb),
    ...describe(erasure['kept'], 'kept: the address is part of an id or of settings there'),
  ]
  if (lines.length === 0) lines.push('The address stands nowhere.')
  for (const line of lines) process.stdout.write(`${escapeControls(line)}\n`)
}

function describe(counts: unknown, what: string): readonly string[] {
  if (typeof counts !== 'object' || counts === null) return []
  return Object.entries(counts).map(([table, count]) => `${table}: ${String(count)} ${what}`)
}
