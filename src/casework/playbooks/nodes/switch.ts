// Switch: takes the path of the first condition that holds.

import { type Static, Type } from 'typebox'
import { type FactCondition, parseFactCondition } from '../case-facts.ts'
import { type ConfigReading, defineNodeKind } from '../node-kind.ts'
import { isNodeName, NODE_NAME_RULE, PATHS_MAX } from '../node-name.ts'

interface SwitchConfig {
  readonly cases: readonly { readonly path: string; readonly condition: FactCondition }[]
}

const RESERVED: readonly string[] = ['default', 'error']

const SwitchCases = Type.Object(
  {
    cases: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'Name of the path.' }),
          condition: Type.String({ minLength: 1, description: 'As of true_false.' }),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: PATHS_MAX - RESERVED.length,
        description: 'Asked in this order; the first that holds counts.',
      },
    ),
  },
  { additionalProperties: false },
)

export const SWITCH = defineNodeKind({
  kind: 'switch',
  title: 'Switch',
  description:
    'Takes the path of the first condition that holds, else the path default. A condition that cannot be answered takes the path error.',
  config: SwitchCases,
  read: readSwitch,
  paths: ({ cases }) => [...cases.map(({ path }) => path), ...RESERVED],
  needsFacts: true,
  decide({ cases }, token, facts) {
    for (const { path, condition } of cases) {
      const answer = condition.ask(facts, token.work)
      if (answer.kind === 'match') return { kind: 'leave', path }
      if (answer.kind === 'failed') {
        const output = { path, explanation: answer.reason }
        return { kind: 'refused', reason: 'condition_failed', output }
      }
    }
    return { kind: 'leave', path: 'default' }
  },
  example: {
    config: {
      cases: [
        { path: 'urgent', condition: "case.severity == 'critical'" },
        { path: 'known', condition: 'customer.is_known' },
      ],
    },
  },
})

function readSwitch(
  { cases }: Static<typeof SwitchCases>,
  { refuse }: ConfigReading,
): SwitchConfig | null {
  const read: { path: string; condition: FactCondition }[] = []
  for (const [at, { path, condition: text }] of cases.entries()) {
    const result = parseFactCondition(text)
    if (!isNodeName(path)) refuse(`cases/${at}/path`, NODE_NAME_RULE)
    else if (RESERVED.includes(path)) refuse(`cases/${at}/path`, 'is there without being named')
    else if (read.some((one) => one.path === path)) refuse(`cases/${at}/path`, 'is there twice')
    else if (result.kind === 'problem') refuse(`cases/${at}/condition`, result.reason)
    else read.push({ path, condition: result.condition })
  }
  return read.length === cases.length ? { cases: read } : null
}
