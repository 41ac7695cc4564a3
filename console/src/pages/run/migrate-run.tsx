// Puts a run on another version: which one, where each token goes, and a preview before it is done.

import { Button, Group, Modal, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { playbookQuery, versionQuery } from '../playbooks/data.ts'
import type { RunDetail } from '../runs/data.ts'
import { messages } from '../runs/messages.ts'
import { Reason } from './reason.tsx'

export function MigrateRun({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<ArrowRightLeft size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('migrate')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('migrate_ask')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Form run={run} onDone={() => setIsOpen(false)} />
      </Modal>
    </>
  )
}

function Form({ run, onDone }: { readonly run: RunDetail; readonly onDone: () => void }) {
  const t = useText(messages)
  const { run_id: runId, playbook_id: playbookId } = run
  const playbook = useQuery(playbookQuery(playbookId))
  const targets = (playbook.data?.versions ?? []).filter(
    ({ version, state }) => version !== run.version && (state === 'active' || state === 'draining'),
  )
  const [chosen, setChosen] = useState<number>()
  const [nodes, setNodes] = useState<Readonly<Record<string, string>>>({})
  const [reason, setReason] = useState('')
  const version = chosen ?? targets[0]?.version
  const send = (isPreview: boolean) =>
    casework.post('/beta/casework/runs/{runId}/migrate', {
      params: { path: { runId } },
      body: {
        version: version ?? 0,
        nodes,
        preview: isPreview,
        ...(reason === '' ? {} : { reason }),
      },
    })
  const preview = useAct({ act: () => send(true), touches: () => [] })
  const migrate = useAct({
    act: () => send(false),
    touches: () => [
      ['runs', runId],
      ['runs', 'list'],
      ['cases', run.case_id],
    ],
    say: () => t('migrated', { version: version ?? 0 }),
    onDone,
  })
  if (version === undefined) return <p className="dim">{t('migrate_none')}</p>
  const change = (): void => preview.reset()
  const isFit = preview.data?.result === 'migrated'
  return (
    <div className="stack">
      <Select
        label={t('migrate_version')}
        allowDeselect={false}
        data={targets.map((one) => String(one.version))}
        value={String(version)}
        onChange={(value) => {
          setChosen(Number(value))
          change()
        }}
      />
      <Places
        run={run}
        version={version}
        nodes={nodes}
        onChange={(next) => {
          setNodes(next)
          change()
        }}
      />
      <Reason value={reason} onChange={setReason} />
      {preview.data !== undefined && <Preview answer={preview.data} />}
      <FormProblem error={preview.error ?? migrate.error} />
      <Group justify="flex-end" gap={8}>
        {isFit ? (
          <Button loading={migrate.isPending} onClick={() => migrate.mutate(undefined)}>
            {t('migrate_act', { version })}
          </Button>
        ) : (
          <Button loading={preview.isPending} onClick={() => preview.mutate(undefined)}>
            {t('migrate_preview')}
          </Button>
        )}
      </Group>
    </div>
  )
}

interface PlacesProps {
  readonly run: RunDetail
  readonly version: number
  readonly nodes: Readonly<Record<string, string>>
  readonly onChange: (nodes: Readonly<Record<string, string>>) => void
}

/** For each token a node of the new version; the one of the same name when nothing is chosen. */
function Places({ run, version, nodes, onChange }: PlacesProps) {
  const t = useText(messages)
  const { data } = useQuery(versionQuery(run.playbook_id, version))
  const places = new Set(run.tokens.filter(({ state }) => state !== 'done').map(({ node }) => node))
  return [...places].map((node) => (
    <Select
      key={node}
      label={t('migrate_to', { node })}
      placeholder={t('migrate_same')}
      clearable
      searchable
      data={(data?.nodes ?? []).filter(({ kind }) => kind !== 'divider').map(({ id }) => id)}
      value={nodes[node] ?? null}
      onChange={(target) => {
        const { [node]: _former, ...others } = nodes
        onChange(target === null ? others : { ...others, [node]: target })
      }}
    />
  ))
}

interface Answer {
  readonly result: 'migrated' | 'unchanged' | 'refused'
  readonly reason?: string
  readonly node?: string
  readonly tokens?: readonly {
    readonly token: number
    readonly from: string
    readonly to: string
  }[]
}

function Preview({ answer }: { readonly answer: Answer }) {
  const t = useText(messages)
  if (answer.result === 'unchanged') return <p role="status">{t('migrate_unchanged')}</p>
  if (answer.result === 'refused') {
    const { node = '', reason } = answer
    return (
      <div className="note" data-tone="red" role="status">
        {t('migrate_refused', { node, reason: reason ?? 'other' })}
      </div>
    )
  }
  return (
    <div role="status">
      <ul className="consequences">
        {answer.tokens?.map(({ token, from, to }) => (
          <li key={token}>{t('migrate_moves', { token, from, to })}</li>
        ))}
      </ul>
    </div>
  )
}
