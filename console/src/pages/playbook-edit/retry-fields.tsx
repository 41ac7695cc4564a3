// How often a call of another system is repeated: as the kind of the node says, or as this node does.

import { Checkbox, NumberInput } from '@mantine/core'
import type { Dispatch } from 'react'
import { useText } from '../../messages/use-text.ts'
import type { GraphNode } from '../../parts/playbook-graph/graph.ts'
import type { Finding, NodeKind } from './data.ts'
import type { EditorAction } from './graph-editor.ts'
import { messages } from './messages.ts'

export interface RetryFieldsProps {
  readonly node: GraphNode
  /** Of the kind; undefined for one that calls no other system. */
  readonly usual: NodeKind['retry']
  readonly findings: readonly Finding[]
  readonly dispatch: Dispatch<EditorAction>
}

const MEMBERS = ['attempts', 'seconds', 'max_seconds'] as const
// As the server takes them.
const MOST = { attempts: 20, seconds: 86_400, max_seconds: 86_400 } as const

export function RetryFields({ node, usual, findings, dispatch }: RetryFieldsProps) {
  const t = useText(messages)
  const { retry } = node
  if (usual === undefined && retry === undefined) return null
  const set = (next: GraphNode['retry']): void =>
    dispatch({ kind: 'retry', id: node.id, retry: next })
  return (
    <fieldset className="setting-group">
      <legend>{t('retry')}</legend>
      <Checkbox
        label={t('retry_own')}
        description={usual === undefined ? undefined : t('retry_usual', { ...usual })}
        checked={retry !== undefined}
        onChange={(event) => set(event.currentTarget.checked ? { ...usual } : undefined)}
      />
      {retry !== undefined &&
        MEMBERS.map((name) => (
          <NumberInput
            key={name}
            label={t(`retry_${name}`)}
            description={t(`retry_${name}_why`)}
            allowDecimal={false}
            min={1}
            max={MOST[name]}
            value={retry[name] ?? ''}
            error={findings.find(({ field }) => field === `retry/${name}`)?.reason}
            onChange={(value) => {
              const { [name]: _former, ...others } = retry
              set(typeof value === 'number' ? { ...others, [name]: value } : others)
            }}
          />
        ))}
    </fieldset>
  )
}
