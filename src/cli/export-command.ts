// `casework privacy export <address>`: all stored data about a person as one JSON document on
// standard output, written in parts, so that it may be larger than the memory. The address is in
// the body of the requests only, so that no log has it.

import { createApiClient, readJsonAnswer } from './api-client.ts'
import { describeUnsearched } from './erase-again-command.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { formatJson } from './format-table.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeOutput } from './write-output.ts'

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
    const { items, next_cursor: next, unsearched_reports: others } = answer
    if (Array.isArray(others)) unsearched.push(...others.map(String))
    const found: readonly unknown[] = Array.isArray(items) ? items : []
    // A refused request writes nothing, so the head comes with the first answer.
    const head = part === 0 ? `${formatJson(person).slice(0, -1)},"items":[` : ''
    const lines = found.map((item, at) => `${count + at === 0 ? '' : ','}\n${formatJson(item)}`)
    count += found.length
    if ((await writeOutput(head + lines.join(''))) === 'enough') return
    cursor = typeof next === 'string' ? next : ''
    if (cursor === '') {
      await writeOutput(
        `\n],"count":${count}${unsearched.length === 0 ? '' : `,"unsearched_reports":${formatJson(unsearched)}`}}\n`,
      )
      for (const line of describeUnsearched(unsearched)) process.stderr.write(`${line}\n`)
      return
    }
  }
  throw new CommandFailure('The export is not whole: it has too many parts.', EXIT.failure)
}
