// "Assign": people and groups under the button, found by typing.

import { Button, Popover } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { AssigneeList } from '../cases/shared/assignee-list.tsx'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import { useChangeCases } from '../cases/shared/use-change-cases.ts'
import { showDraft } from './case-dialogs.tsx'
import { messages } from './messages.ts'

export interface AssignButtonProps {
  readonly caseId: string
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

export function AssignButton({ caseId, isOpen, onOpen }: AssignButtonProps) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const act = useChangeCases()
  const assign = (id: string | null, name: string): void => {
    onOpen(false)
    const change = { assignee_user_id: id }
    const said = id === null ? ts('said_unassigned') : ts('said_assigned', { name })
    act.mutate({
      ids: [caseId],
      change,
      said,
      expect: () =>
        showDraft(caseId, { change, said, ...(id === null ? {} : { assigneeName: name }) }),
    })
  }
  return (
    <Popover
      opened={isOpen}
      onChange={onOpen}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          rightSection={<ChevronDown size={14} aria-hidden />}
          onClick={() => onOpen(!isOpen)}
        >
          {t('assign')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('assign')}>
        <AssigneeList onPick={assign} />
      </Popover.Dropdown>
    </Popover>
  )
}
