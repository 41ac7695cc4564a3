// What can be done with one version: activate it, delete a draft, take it out as a file, move runs
// to it.

import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { saveFile } from '../../parts/csv.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { exportVersion, groupsOfQuery, type VersionState } from '../playbooks/data.ts'
import { runCountQuery } from './data.ts'
import { messages } from './messages.ts'
import { playbookRoute } from './route.ts'
import type { PlaybookDetail } from './view.tsx'

export interface VersionMenuProps {
  readonly playbook: PlaybookDetail
  readonly version: number
  readonly state: VersionState
  /** What activation warns of. */
  readonly onWarnings: (warnings: readonly string[]) => void
}

export function VersionMenu(props: VersionMenuProps) {
  const t = useText(messages)
  const { playbook, version, state } = props
  const mayActivate = useMay('playbooks:activate')
  const mayWrite = useMay('playbooks:write')
  const take = useAct({
    act: async (format: 'json' | 'yaml') =>
      saveFile(
        `${playbook.name} v${version}.${format}`,
        'text/plain',
        await exportVersion(playbook.id, version, format),
      ),
    touches: () => [],
  })
  return (
    <div className="row-of version-acts">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
            {t('export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => take.mutate('yaml')}>{t('export_yaml')}</Menu.Item>
          <Menu.Item onClick={() => take.mutate('json')}>{t('export_json')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {mayWrite && state === 'draft' && <DeleteDraft {...props} />}
      {mayActivate && state === 'draft' && <Activate {...props} />}
    </div>
  )
}

function Activate({ playbook, version, onWarnings }: VersionMenuProps) {
  const t = useText(messages)
  const [isOpen, setIsOpen] = useState(false)
  const { active_version: active } = playbook
  const { data: groups = [] } = useQuery(groupsOfQuery(playbook.id))
  const { data: runs } = useQuery({
    ...runCountQuery(playbook.id, active ?? 0),
    enabled: isOpen && active !== undefined,
  })
  const activate = useAct({
    act: () =>
      casework.post('/beta/casework/playbooks/{playbookId}/versions/{version}/activate', {
        params: { path: { playbookId: playbook.id, version: String(version) } },
      }),
    touches: () => [['playbooks']],
    say: () => t('activate_done', { version }),
    onDone: ({ warnings }) => {
      setIsOpen(false)
      onWarnings(
        warnings.map(({ node, reason }) => (node === undefined ? reason : `${node}: ${reason}`)),
      )
    },
  })
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('activate')}</Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('activate_ask', { name: playbook.name, version })}
        act={t('activate_act', { version })}
        onAct={() => activate.mutate(undefined)}
        isPending={activate.isPending}
      >
        <ul className="consequences">
          <li>
            {groups.length === 0
              ? t('activate_no_groups')
              : t('activate_groups', { names: groups.join(', '), version })}
          </li>
          {active !== undefined && (
            <li>{t('activate_drains', { version: active, runs: runs ?? '…' })}</li>
          )}
          <li>{t('activate_once')}</li>
        </ul>
        <FormProblem error={activate.error} />
      </Confirm>
    </>
  )
}

function DeleteDraft({ playbook, version }: VersionMenuProps) {
  const t = useText(messages)
  const navigate = useNavigate({ from: playbookRoute.fullPath })
  const [isOpen, setIsOpen] = useState(false)
  const remove = useAct({
    act: () =>
      casework.delete('/beta/casework/playbooks/{playbookId}/versions/{version}', {
        params: { path: { playbookId: playbook.id, version: String(version) } },
      }),
    touches: () => [
      ['playbooks', 'list'],
      ['playbooks', playbook.id],
    ],
    say: () => t('draft_deleted', { version }),
    onDone: () => {
      setIsOpen(false)
      void navigate({ search: {}, replace: true })
    },
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<Trash2 size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('delete_draft')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('delete_draft_ask', { version })}
        act={t('delete_draft_act', { version })}
        onAct={() => remove.mutate(undefined)}
        isPending={remove.isPending}
      >
        <p className="dim">{t('delete_draft_why')}</p>
        <FormProblem error={remove.error} />
      </Confirm>
    </>
  )
}
