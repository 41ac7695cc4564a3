// What stands behind a way out: a node that is there, a new one, or nothing.

import { Button, Group, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import type { GraphNode } from '../../parts/playbook-graph/graph.ts'
import { useKindTitle } from '../../parts/playbook-graph/messages.ts'
import type { NodeKind } from './data.ts'
import { messages } from './messages.ts'

export interface WayDialogProps {
  readonly from: string
  readonly path: string
  readonly to: string | null
  readonly nodes: readonly GraphNode[]
  readonly kinds: readonly NodeKind[]
  readonly onClose: () => void
  readonly onConnect: (to: string) => void
  readonly onDisconnect: () => void
  readonly onAdd: (kind: string) => void
}

export function WayDialog(props: WayDialogProps) {
  const t = useText(messages)
  const titleOf = useKindTitle()
  const { from, path, to, nodes, kinds, onClose } = props
  const [target, setTarget] = useState(to)
  const [kind, setKind] = useState<string | null>(null)
  const targets = nodes.filter((one) => one.kind !== 'start' && one.kind !== 'divider')
  const isFit = kind !== null || (target !== null && target !== to)
  const save = (): void => {
    if (kind !== null) props.onAdd(kind)
    else if (target !== null) props.onConnect(target)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('way_title', { from, path })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isFit) save()
        }}
      >
        <Select
          label={t('way_node')}
          data={targets.map(({ id }) => id)}
          value={target}
          searchable
          onChange={(next) => {
            setTarget(next)
            setKind(null)
          }}
          data-autofocus
        />
        <Select
          label={t('way_new')}
          data={kinds
            .filter((one) => one.kind !== 'start' && one.kind !== 'divider')
            .map((one) => ({ value: one.kind, label: titleOf(one.kind, one.title) }))}
          value={kind}
          searchable
          clearable
          onChange={setKind}
        />
        <Group justify="flex-end" gap={8}>
          {to !== null && (
            <Button variant="default" onClick={props.onDisconnect}>
              {t('way_disconnect')}
            </Button>
          )}
          <Button type="submit" disabled={!isFit}>
            {kind === null ? t('way_connect') : t('way_add')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
