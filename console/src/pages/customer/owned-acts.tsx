// What can be done with a contract or resource in its row. A deletion is undone by making the record
// anew; it is refused while another record refers to it.

import { ActionIcon } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import type { Contract, Resource } from './data.ts'
import { messages } from './messages.ts'

interface RowActsProps {
  readonly name: string
  readonly onEdit: () => void
  readonly onDelete: () => void
  /** A deletion is on its way: a second press would be refused, as if the first had not worked. */
  readonly isDeleting: boolean
}

export function RowActs({ name, onEdit, onDelete, isDeleting }: RowActsProps) {
  const t = useText(messages)
  return (
    <span className="row-of">
      <ActionIcon
        aria-label={t('edit_row', { name })}
        title={t('edit_row', { name })}
        onClick={onEdit}
      >
        <Pencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={t('delete_row', { name })}
        title={t('delete_row', { name })}
        aria-disabled={isDeleting}
        onClick={isDeleting ? undefined : onDelete}
      >
        <Trash2 size={16} aria-hidden />
      </ActionIcon>
    </span>
  )
}

export function useDeleteContract() {
  const t = useText(messages)
  return useAct({
    act: ({ id }: Contract) =>
      casework.delete('/beta/casework/contracts/{contractId}', {
        params: { path: { contractId: id } },
      }),
    touches: ({ customer_id: customerId }) => [['customers', customerId]],
    say: ({ id }) => t('contract_deleted', { id }),
    undo: (contract) => () => {
      const { version: _, created_at: _made, updated_at: _changed, ...body } = contract
      return casework.post('/beta/casework/contracts', { body })
    },
  })
}

export function useDeleteResource() {
  const t = useText(messages)
  return useAct({
    act: ({ id }: Resource) =>
      casework.delete('/beta/casework/resources/{resourceId}', {
        params: { path: { resourceId: id } },
      }),
    touches: ({ customer_id: customerId }) => [['customers', customerId]],
    say: ({ value }) => t('resource_deleted', { value }),
    undo: (resource) => () => {
      const { id: _id, version: _, created_at: _made, updated_at: _changed, ...body } = resource
      return casework.post('/beta/casework/resources', { body })
    },
  })
}
