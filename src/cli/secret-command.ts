// `casework secret …`: the secrets that playbooks send to others, by way of the server, and the key
// that encrypts all of them, on the machine.

import { createApiClient, readJsonAnswer } from './api-client.ts'
import { isDryRun, requireConsent } from './confirm.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { formatTable } from './format-table.ts'
import { claimInput } from './open-input.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>

const PATH = '/beta/casework/secrets'

export async function runSecretList(flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const { items } = await ask(flags, { method: 'GET', path: PATH })
  const rows = Array.isArray(items) ? items : []
  const formatForPeople = (): string => formatTable(['name', 'updated_at'], rows)
  writeRead(output, { document: { items }, formatForPeople })
}

/** The value comes from standard input, so that it is in no list of processes and no history. */
export async function runSecretSet(name: string, flags: Flags): Promise<void> {
  if (process.stdin.isTTY) {
    throw new CommandFailure(
      `Give the value on standard input: printf %s "$VALUE" | npx casework secret set ${name}`,
      EXIT.usage,
    )
  }
  claimInput('the value')
  const value = (await readAll(process.stdin)).replace(/\r?\n$/, '')
  await ask(flags, { method: 'PUT', path: `${PATH}/${encodeURIComponent(name)}`, json: { value } })
  process.stderr.write(`Secret ${name} is set.\n`)
}

export async function runSecretDelete(name: string, flags: Flags): Promise<void> {
  const request = { method: 'DELETE', path: `${PATH}/${encodeURIComponent(name)}` }
  if (isDryRun(flags, request)) return
  await requireConsent(`Delete the secret ${name}? Playbook steps that need it fail.`, flags)
  await ask(flags, request)
  process.stderr.write(`Secret ${name} is deleted.\n`)
}

export async function runSecretKeyChange(flags: Flags): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  await requireConsent('Encrypt all stored secrets with another key?', flags)
  const { changeSecretKey } = await import('../app/change-secret-key.ts')
  const { keyId, count } = await changeSecretKey(config)
  const secrets = count === 1 ? '1 secret was' : `${count} secrets were`
  process.stdout.write(`${secrets} encrypted anew; the key ${keyId} is in use.\n`)
}

async function ask(
  flags: Flags,
  request: { readonly method: string; readonly path: string; readonly json?: unknown },
): Promise<Record<string, unknown>> {
  const { config } = loadConfigFromFlags(flags)
  return readJsonAnswer(await createApiClient(flags, config).send(request))
}

const VALUE_BYTES_MAX = 65_536

async function readAll(input: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > VALUE_BYTES_MAX) throw new CommandFailure('The value is too long.', EXIT.usage)
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}
