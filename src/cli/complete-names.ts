// Names for the completion of a shell that the program does not know: cases and tags, which the
// server is asked for, and the profiles on this machine.

import { createApiClient, readJsonAnswer } from './api-client.ts'
import type { Candidate, Names } from './completion.ts'
import { escapeControls } from './format-table.ts'
import { readRecord, readRows } from './operations/show-answer.ts'
import { readProfiles } from './profiles/profile-store.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

// A key that is pressed must not wait for a server that is far away or gone.
const ANSWER_TIMEOUT_MS = 1_500

// The shell puts a name into its command line as it is: what it would run or take apart is left
// out, whatever a server says.
const PLAIN_NAME = /^[\p{L}\p{N}._:@+/-]+$/u

type Row = Readonly<Record<string, unknown>>

const LISTS: Readonly<Record<'case' | 'tag', { path: string; name: (row: Row) => Candidate }>> = {
  case: {
    path: '/beta/casework/cases?state=NEW,IN_PROGRESS&limit=100&expand=summary',
    name: (row) => {
      const summary = readRecord(row['summary'])
      const about = [row['state'], row['customer_id'], summary['event_types']]
      return { value: readText(row['id']), about: about.filter(Boolean).join(', ') }
    },
  },
  tag: {
    path: '/beta/tags',
    name: (row) => ({ value: readText(row['name']), about: readText(row['description']) }),
  },
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Those that begin with the word; none when they cannot be had soon: no key press fails. */
export async function completeNames(
  names: Names,
  word: string,
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, unknown>>,
): Promise<readonly Candidate[]> {
  try {
    const found =
      names === 'profile'
        ? Object.entries(readProfiles(environment).profiles).map(([value, { url }]) => ({
            value,
            about: url,
          }))
        : await askServer(names, flags)
    return found
      .map(({ value, about }) => ({ value: escapeControls(value), about: escapeControls(about) }))
      .filter(({ value }) => value.startsWith(word) && PLAIN_NAME.test(value))
  } catch {
    return []
  }
}

async function askServer(
  names: 'case' | 'tag',
  flags: Readonly<Record<string, unknown>>,
): Promise<readonly Candidate[]> {
  const { path, name } = LISTS[names]
  const client = createApiClient(flags, loadConfigFromFlags(flags).config)
  const answer = await client.send({ method: 'GET', path, timeoutMs: ANSWER_TIMEOUT_MS })
  const rows = readRows(readJsonAnswer(answer))
  return (rows ?? []).map(name)
}
