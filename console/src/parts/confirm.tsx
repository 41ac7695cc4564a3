// Asks before what cannot be undone. The title and the button name what will happen ("Erase 3
// reports and 2 comments of ana@example.org"); routine acts ask nothing and offer Undo.

import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

export interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children?: ReactNode
  /** A verb with its object: "Erase 3 reports". */
  readonly act: string
  readonly onAct: () => void
  readonly isPending?: boolean
}

export function Confirm({
  isOpen,
  onClose,
  title,
  children,
  act,
  onAct,
  isPending = false,
}: ConfirmProps) {
  const t = useText(messages)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className="stack">
        {children}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color="red" onClick={onAct} loading={isPending}>
            {act}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
