// Assign: says who works the case.

import { Type } from 'typebox'
import { isStorableText } from '../../../values/json-value.ts'
import { act, defineNodeKind } from '../node-kind.ts'
import { CHANGE_PATHS, changeByPlaybook, type PlaybookChange } from './change-cases.ts'
import { readValue, ValueTrouble, valueOf } from './value-config.ts'

const USER_LENGTH_MAX = 256

interface Assignment extends PlaybookChange {
  /** The id, where no expression gives it. */
  readonly named: readonly string[]
}

export const ASSIGN = defineNodeKind({
  kind: 'assign',
  title: 'Assign',
  description:
    'Assigns the case to a user or a group of the tenant. A tenant without users takes any text.',
  config: Type.Object(
    {
      assignee_user_id: valueOf(
        Type.Union([Type.String({ minLength: 1, maxLength: USER_LENGTH_MAX }), Type.Null()]),
        'The id of the user or group (`GET /beta/casework/assignees`); null takes the assignment away.',
      ),
    },
    { additionalProperties: false },
  ),
  read({ assignee_user_id: given }, reading): Assignment | null {
    const value = readValue(given, 'assignee_user_id', reading)
    const named = typeof given === 'string' ? [given] : []
    return value && { named, plan: ({ read }) => ({ assigneeUserId: checkUser(read(value)) }) }
  },
  paths: () => CHANGE_PATHS,
  assignees: ({ named }) => named,
  needsFacts: true,
  decide: act,
  apply: changeByPlaybook,
  example: { config: { assignee_user_id: 'team-phishing' } },
})

function checkUser(value: unknown): string | null {
  if (value === null) return null
  const isId = typeof value === 'string' && value !== '' && value.length <= USER_LENGTH_MAX
  if (isId && isStorableText(value)) return value
  throw new ValueTrouble(`an assignee is a text of 1 to ${USER_LENGTH_MAX} characters, or null`)
}
