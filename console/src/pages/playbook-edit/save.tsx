// Saves what is drawn as the next version. When somebody else has saved meanwhile, the server says so,
// and the person chooses; nothing of either is lost, since versions are never overwritten and a
// draft stays in the browser until it is saved.

import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CaseworkError } from 'casework/client'
import { Save } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { queryClient } from '../../data/query-client.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import type { GraphNode } from '../../parts/playbook-graph/graph.ts'
import { writeNodes } from '../../parts/playbook-graph/wire-nodes.ts'
import { playbookQuery } from '../playbooks/data.ts'
import { Conflict } from './conflict.tsx'
import type { EditorAction, Graph } from './graph-editor.ts'
import { messages } from './messages.ts'

export interface SaveProps {
  readonly playbookId: string
  readonly graph: Graph
  /** What the work began with. */
  readonly begun: { readonly version: number; readonly nodes: readonly GraphNode[] }
  readonly isChanged: boolean
  readonly latestThen: number
  readonly dispatch: (action: EditorAction) => void
  readonly onSaved: () => void
}

export function SaveVersion(props: SaveProps) {
  const t = useText(messages)
  const { playbookId, graph, isChanged, latestThen } = props
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const [newer, setNewer] = useState<number>()
  const save = useAct({
    act: async (latest: number) => {
      try {
        return { made: await addVersion(playbookId, graph, latest), newer: undefined }
      } catch (error) {
        if (!(error instanceof CaseworkError) || error.status !== 412) throw error
        const now = await queryClient.fetchQuery({ ...playbookQuery(playbookId), staleTime: 0 })
        return { made: undefined, newer: now.latest_version }
      }
    },
    touches: () => [
      ['playbooks', 'list'],
      ['playbooks', playbookId],
    ],
    onDone: (result) => {
      setNewer(result.newer)
      if (result.made === undefined) return
      props.onSaved()
      setIsOpen(false)
      void navigate({
        to: '/playbooks/$playbookId',
        params: { playbookId },
        search: { version: result.made },
      })
    },
  })
  const open = (): void => {
    setNewer(undefined)
    setIsOpen(true)
  }
  useKeys(t('title'), isChanged ? [{ keys: 'mod+s', title: t('save'), run: open }] : [])
  return (
    <>
      <Button leftSection={<Save size={16} aria-hidden />} disabled={!isChanged} onClick={open}>
        {t('save')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        size={newer === undefined ? 'md' : 'xl'}
        title={newer === undefined ? t('save_title') : t('conflict_title')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {newer === undefined ? (
          <form
            className="stack"
            onSubmit={(event) => {
              event.preventDefault()
              save.mutate(latestThen)
            }}
          >
            <p className="dim inspector-words">{t('save_why')}</p>
            <Textarea
              label={t('description')}
              autosize
              minRows={2}
              maxLength={10_000}
              value={graph.description}
              onChange={(event) =>
                props.dispatch({ kind: 'describe', description: event.currentTarget.value })
              }
              data-autofocus
            />
            <FormProblem error={save.error} />
            <Group justify="flex-end" gap={8}>
              <Button type="submit" loading={save.isPending}>
                {t('save_act')}
              </Button>
            </Group>
          </form>
        ) : (
          <Conflict
            {...props}
            newer={newer}
            isPending={save.isPending}
            error={save.error}
            onKeep={() => save.mutate(newer)}
          />
        )}
      </Modal>
    </>
  )
}

/** Refused with 412 when the newest version is another one than `latest`. */
async function addVersion(playbookId: string, graph: Graph, latest: number): Promise<number> {
  const { description, nodes } = graph
  const made = await casework.post('/beta/casework/playbooks/{playbookId}/versions', {
    params: { path: { playbookId } },
    headers: { 'if-match': `"${latest}"` },
    body: { nodes: writeNodes(nodes), ...(description === '' ? {} : { description }) },
  })
  return made.version
}
