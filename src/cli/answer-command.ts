// `casework report take-as-answer`, through the running server.

import { createApiClient, readJsonAnswer } from './api-client.ts'
import { formatJson } from './format-table.ts'
import { readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

type Flags = Readonly<Record<string, unknown>>

export async function runTakeAsAnswer(reportId: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, ['human', 'json'])
  const client = createApiClient(flags, loadConfigFromFlags(flags).config)
  const path = `/beta/casework/reports/${encodeURIComponent(reportId)}/take-as-answer`
  const { case: caseId, party, takePath } = flags
  const json = {
    ...(typeof caseId === 'string' ? { case_id: caseId } : {}),
    ...(typeof party === 'string' ? { party } : {}),
    ...(takePath === true ? { take_path: true } : {}),
  }
  const answer = readJsonAnswer(await client.send({ method: 'POST', path, json }))
  process.stdout.write(output === 'json' ? `${formatJson(answer, 2)}\n` : describe(answer))
}

function describe(answer: Readonly<Record<string, unknown>>): string {
  const { repeated, party, case_id: caseId, trigger } = answer
  const was = repeated === true ? 'was taken over before, as' : 'is now'
  const line = `It ${was} a comment of ${String(caseId)}, by the party ${String(party)}.\n`
  const { node, path }: Readonly<Record<string, unknown>> = { ...Object(trigger) }
  if (typeof node !== 'string') return line
  return `${line}The playbook leaves ${node} by the path ${String(path)}.\n`
}
