// The selected node: its name, settings by the JSON Schema of its kind, ways out, and a note.

import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { Copy, Trash2 } from 'lucide-react'
import { type Dispatch, useMemo, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { type GraphNode, waysOut } from '../../parts/playbook-graph/graph.ts'
import { KindIcon } from '../../parts/playbook-graph/kind-icon.tsx'
import { useKindTitle } from '../../parts/playbook-graph/messages.ts'
import { ServerReasons } from '../../parts/server-reasons.tsx'
import type { Finding, NodeKind } from './data.ts'
import { listFacts } from './facts.ts'
import { type EditorAction, findNode, isNodeName } from './graph-editor.ts'
import { messages } from './messages.ts'
import { NodeWords } from './node-words.tsx'
import { RetryFields } from './retry-fields.tsx'
import { readFields } from './schema.ts'
import { SettingField, withMember } from './setting-field.tsx'

export interface InspectorProps {
  readonly node: GraphNode
  readonly nodes: readonly GraphNode[]
  readonly kind: NodeKind | undefined
  readonly findings: readonly Finding[]
  readonly dispatch: Dispatch<EditorAction>
}

export function Inspector(props: InspectorProps) {
  const t = useText(messages)
  const titleOf = useKindTitle()
  const { node, kind, findings, dispatch } = props
  const mine = findings.filter((one) => one.node === node.id)
  const whole = mine.filter(
    ({ field = '' }) => field !== 'id' && !/^(?:config|retry)\//.test(field),
  )
  return (
    <div className="inspector">
      <div className="inspector-head">
        <span className="node-icon">
          <KindIcon kind={node.kind} />
        </span>
        <span className="inspector-kind">{titleOf(node.kind, kind?.title)}</span>
      </div>
      {kind !== undefined && (
        <p className="dim small inspector-words">
          <NodeWords text={kind.description} />
        </p>
      )}
      {whole.map(({ field = '', reason }) => (
        <div key={`${field} ${reason}`} className="setting-error" role="status">
          {field} <ServerReasons reasons={[reason]} />
        </div>
      ))}
      <Name key={node.id} {...props} />
      <Settings {...props} findings={mine} />
      <RetryFields node={node} usual={kind?.retry} findings={mine} dispatch={dispatch} />
      <Ways {...props} />
      <Textarea
        label={t('note')}
        description={t('note_why')}
        autosize
        minRows={2}
        value={node.note ?? ''}
        onChange={(event) =>
          dispatch({ kind: 'note', id: node.id, note: event.currentTarget.value })
        }
      />
      <div className="row-of">
        {node.kind !== 'start' && (
          <Button
            variant="default"
            leftSection={<Copy size={14} aria-hidden />}
            onClick={() => dispatch({ kind: 'paste', nodes: [node] })}
          >
            {t('duplicate')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={() => dispatch({ kind: 'remove', ids: [node.id] })}
        >
          {t('delete_node')}
        </Button>
      </div>
    </div>
  )
}

/** Renamed when the field is left, so that half a name is no name. */
function Name({ node, nodes, dispatch }: InspectorProps) {
  const t = useText(messages)
  const [name, setName] = useState(node.id)
  const isTaken = name !== node.id && findNode(nodes, name) !== undefined
  const refusal = isNodeName(name) ? undefined : t('name_rule')
  const error = isTaken ? t('name_taken') : refusal
  const take = (): void => {
    if (error === undefined && name !== node.id) dispatch({ kind: 'rename', id: node.id, to: name })
  }
  return (
    <TextInput
      label={t('node_name')}
      value={name}
      error={error}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}

function Settings({ node, nodes, kind, findings, dispatch }: InspectorProps) {
  const fields = useMemo(() => (kind === undefined ? [] : readFields(kind.config)), [kind])
  const completions = useMemo(() => listFacts(nodes.map(({ id }) => id)), [nodes])
  const config = node.config ?? {}
  const problemOf = (place: string): string | undefined =>
    findings.find(({ field }) => field === place)?.reason
  return fields.map((field) => (
    <SettingField
      key={`${node.id} ${field.name}`}
      field={field}
      place={`config/${field.name}`}
      value={config[field.name]}
      problemOf={problemOf}
      completions={completions}
      onChange={(value) =>
        dispatch({
          kind: 'configure',
          id: node.id,
          config: withMember(config, field.name, value),
          field: field.name,
        })
      }
    />
  ))
}

/** Connect by form: the node behind each way out. */
function Ways({ node, nodes, kind, dispatch }: InspectorProps) {
  const t = useText(messages)
  const ways = waysOut(node, kind?.paths)
  if (ways.length === 0) return null
  const targets = nodes
    .filter((one) => one.kind !== 'start' && one.kind !== 'divider')
    .map(({ id }) => id)
  return (
    <fieldset className="setting-group">
      <legend>{t('ways')}</legend>
      {ways.map((path) => (
        <Select
          key={path}
          label={path}
          placeholder={path === 'error' ? t('fails_here') : t('ends_here')}
          data={targets}
          value={node.paths?.[path] ?? null}
          searchable
          clearable
          onChange={(to) =>
            dispatch(
              to === null
                ? { kind: 'disconnect', from: node.id, path }
                : { kind: 'connect', from: node.id, path, to },
            )
          }
        />
      ))}
    </fieldset>
  )
}
