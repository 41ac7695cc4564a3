// What can be done with the playbook as a whole: rename it, take it out of use, delete it.

import { ActionIcon, Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { groupsOfQuery } from '../playbooks/data.ts'
import { messages } from './messages.ts'
import type { PlaybookDetail } from './view.tsx'

interface DialogProps {
  readonly playbook: PlaybookDetail
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function PlaybookMenu({ playbook }: { readonly playbook: PlaybookDetail }) {
  const t = useText(messages)
  const mayWrite = useMay('playbooks:write')
  const mayActivate = useMay('playbooks:activate')
  const [open, setOpen] = useState<'rename' | 'retire' | 'delete'>()
  const wasActive = playbook.versions.some(({ activated_at: at }) => at !== undefined)
  const dialog = (name: typeof open) => ({
    playbook,
    isOpen: open === name,
    onClose: () => setOpen(undefined),
  })
  const canRetire = mayActivate && playbook.active_version !== undefined
  const canDelete = mayWrite && !wasActive
  if (!mayWrite && !canRetire) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t('more')}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayWrite && <Menu.Item onClick={() => setOpen('rename')}>{t('rename')}</Menu.Item>}
          {canRetire && <Menu.Item onClick={() => setOpen('retire')}>{t('retire')}</Menu.Item>}
          {canDelete && (
            <Menu.Item color="red" onClick={() => setOpen('delete')}>
              {t('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <RenameDialog {...dialog('rename')} />
      <Retire {...dialog('retire')} />
      <Delete {...dialog('delete')} />
    </>
  )
}

function RenameDialog({ playbook, isOpen, onClose }: DialogProps) {
  const t = useText(messages)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('rename')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Rename playbook={playbook} onClose={onClose} />
    </Modal>
  )
}

/** Lives as long as the dialog is open: it begins with the name of now each time. */
function Rename({ playbook, onClose }: Omit<DialogProps, 'isOpen'>) {
  const t = useText(messages)
  const [name, setName] = useState(playbook.name)
  const send = (next: string) =>
    casework.patch('/beta/casework/playbooks/{playbookId}', {
      params: { path: { playbookId: playbook.id } },
      body: { name: next },
    })
  const rename = useAct({
    act: send,
    touches: () => [['playbooks']],
    say: (next) => t('renamed', { name: next }),
    undo: () => () => send(playbook.name),
    onDone: onClose,
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') rename.mutate(name.trim())
      }}
    >
      <TextInput
        label={t('name')}
        description={t('rename_why')}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <FormProblem error={rename.error} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={rename.isPending}>
          {t('rename')}
        </Button>
      </Group>
    </form>
  )
}

function Retire({ playbook, isOpen, onClose }: DialogProps) {
  const t = useText(messages)
  const { data: groups = [] } = useQuery(groupsOfQuery(playbook.id))
  const retire = useAct({
    act: () =>
      casework.post('/beta/casework/playbooks/{playbookId}/retire', {
        params: { path: { playbookId: playbook.id } },
      }),
    touches: () => [['playbooks']],
    say: () => t('retired', { name: playbook.name }),
    onDone: onClose,
  })
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t('retire_ask', { name: playbook.name })}
      act={t('retire_act')}
      onAct={() => retire.mutate(undefined)}
      isPending={retire.isPending}
    >
      <ul className="consequences">
        <li>
          {groups.length === 0
            ? t('retire_no_groups')
            : t('retire_groups', { names: groups.join(', ') })}
        </li>
        <li>{t('retire_runs')}</li>
        <li>{t('retire_back')}</li>
      </ul>
      <FormProblem error={retire.error} />
    </Confirm>
  )
}

function Delete({ playbook, isOpen, onClose }: DialogProps) {
  const t = useText(messages)
  const navigate = useNavigate()
  const remove = useAct({
    act: () =>
      casework.delete('/beta/casework/playbooks/{playbookId}', {
        params: { path: { playbookId: playbook.id } },
      }),
    touches: () => [['playbooks', 'list']],
    say: () => t('deleted', { name: playbook.name }),
    onDone: () => void navigate({ to: '/playbooks' }),
  })
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t('delete_ask', { name: playbook.name })}
      act={t('delete_act', { count: playbook.versions.length })}
      onAct={() => remove.mutate(undefined)}
      isPending={remove.isPending}
    >
      <p className="dim">{t('delete_why')}</p>
      <FormProblem error={remove.error} />
    </Confirm>
  )
}
