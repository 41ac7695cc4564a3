// `casework privacy export <address>`: all stored data about a person as one JSON document on
// standard output, written in parts, so that it may be larger than the memory. The address is in
// the body of the requests only, so that no log has it.

import { once } from 'node:events'
import { createApiClient, readJsonAnswer } from './api-client.ts'
import { describeUnsearched } from './erase-again-command.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

// Each request works for five seconds, so this is more than a day.
const PARTS_MAX = 20_000

export async function runExport(
  address: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const person = { address, ...(typeof flags['name'] === 'string' ? { name: flags['name'] } : {}) }
  const path = '/beta/casework/privacy-exports'
  let cursor = ''
  let count = 0
  const unsearched: string[] = []
  for (let part = 0; part < PARTS_MAX; part += 1) {
    const json = { ...person, ...(cursor === '' ? {} : { cursor }) }
    // Each part begins where the part before it ended.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer = readJsonAnswer(await client.send({ method: 'POST', path, json }))
    // A refused request writes nothing.
    if (part === 0) await write(`${JSON.stringify(person).slice(0, -1)},"items":[`)
    const { items, next_cursor: next, unsearched_reports: others } = answer
    if (Array.isArray(others)) unsearched.push(...others.map(String))
    for (const item of Array.isArray(items) ? items : []) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await write(`${count === 0 ? '' : ','}\n${JSON.stringify(item)}`)
      count += 1
    }
    cursor = typeof next === 'string' ? next : ''
    if (cursor === '') {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await write(
        `\n],"count":${count}${unsearched.length === 0 ? '' : `,"unsearched_reports":${JSON.stringify(unsearched)}`}}\n`,
      )
      for (const line of describeUnsearched(unsearched)) process.stderr.write(`${line}\n`)
      return
    }
  }
  throw new CommandFailure('The export is not whole: it has too many parts.', EXIT.failure)
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
