// Addresses that get no mail: why, since when; add one, or take one off, with Undo.

import { ActionIcon, Button, Modal, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Ban, Plus, TriangleAlert, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FirstPageOnly } from '../../parts/first-only.tsx'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { messages as partMessages } from '../../parts/messages.ts'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { type SuppressedAddress, suppressedQuery } from './data.ts'
import { messages } from './messages.ts'

export function SuppressedTab() {
  const t = useText(messages)
  const mayWrite = useMay('customers:write')
  const [isAdding, setAdding] = useState(false)
  const list = useQuery(suppressedQuery)
  const columns = useColumns(mayWrite)
  useKeys(
    t('suppressed'),
    mayWrite ? [{ keys: 'n', title: t('add'), run: () => setAdding(true) }] : [],
  )
  // A dialog that is open stays when the list cannot be renewed.
  if (list.error !== null && list.data === undefined) {
    return (
      <div className="notice-pad">
        <Problem error={list.error} onRetry={() => void list.refetch()} />
      </div>
    )
  }
  const addButton = mayWrite && (
    <Button
      variant="default"
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => setAdding(true)}
    >
      {t('add')}
    </Button>
  )
  return (
    <>
      <div className="filters">
        <span className="dim notice-lede">{t('suppressed_lede')}</span>
        <FirstPageOnly page={list.data} />
        {addButton}
      </div>
      <DataTable
        label={t('suppressed')}
        rows={list.data?.items ?? []}
        columns={columns}
        rowId={({ address }) => address}
        rowName={({ address }) => address}
        isLoading={list.data === undefined}
        empty={
          <EmptyState
            title={t('suppressed_empty')}
            text={t('suppressed_empty_why')}
            command="npx casework suppression add someone@example.net"
          />
        }
      />
      {isAdding && (
        <AddAddress
          isListed={(address) =>
            list.data?.items.some((one) => isSame(one.address, address)) ?? false
          }
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

const CAUSES = {
  person: ['grey', Ban],
  bounce: ['red', Undo2],
  complaint: ['amber', TriangleAlert],
} as const

function putAddress(address: string, note: string): Promise<SuppressedAddress> {
  return casework.put('/beta/casework/suppressed-addresses/{address}', {
    params: { path: { address } },
    body: note === '' ? {} : { note },
  })
}

function deleteAddress(address: string): Promise<unknown> {
  return casework.delete('/beta/casework/suppressed-addresses/{address}', {
    params: { path: { address } },
  })
}

function useColumns(mayWrite: boolean): readonly Column<SuppressedAddress>[] {
  const t = useText(messages)
  const takeOff = useAct({
    act: ({ address }: SuppressedAddress) => deleteAddress(address),
    touches: () => [suppressedQuery.queryKey],
    say: ({ address }) => t('taken_off', { address }),
    undo:
      ({ address, note }) =>
      () =>
        putAddress(address, note),
  })
  return [
    {
      id: 'address',
      title: t('address'),
      width: 'minmax(200px, 1fr)',
      narrow: 'first',
      cell: ({ address }) => address,
    },
    {
      id: 'cause',
      title: t('cause'),
      width: '184px',
      narrow: 'second',
      cell: ({ cause }) => (
        <Badge tone={CAUSES[cause][0]} icon={CAUSES[cause][1]}>
          {t(`cause_${cause}`)}
        </Badge>
      ),
    },
    {
      id: 'note',
      title: t('note'),
      width: 'minmax(200px, 2fr)',
      cell: ({ note }) => <span title={note}>{note}</span>,
    },
    {
      id: 'since',
      title: t('since'),
      width: '140px',
      narrow: 'second',
      cell: ({ created_at }) => <Since at={created_at} />,
    },
    ...(mayWrite
      ? [
          {
            id: 'off',
            title: t('take_off'),
            width: '130px',
            narrow: 'first' as const,
            cell: (one: SuppressedAddress) => (
              <ActionIcon
                size={28}
                aria-label={t('take_off_named', { address: one.address })}
                title={t('take_off_named', { address: one.address })}
                onClick={() => takeOff.mutate(one)}
              >
                <X size={16} aria-hidden />
              </ActionIcon>
            ),
          },
        ]
      : []),
  ]
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

interface Given {
  readonly address: string
  readonly note: string
  readonly wasListed: boolean
}

interface AddAddressProps {
  /** It gets no mail as it is, such as after a bounce: adding it changes nothing. */
  readonly isListed: (address: string) => boolean
  readonly onClose: () => void
}

function AddAddress({ isListed, onClose }: AddAddressProps) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const [address, setAddress] = useState('')
  const [note, setNote] = useState('')
  const add = useAct({
    act: (given: Given) => putAddress(given.address, given.note),
    touches: () => [suppressedQuery.queryKey],
    say: (given) => t('added', { address: given.address }),
    undo: (given) => (given.wasListed ? null : () => deleteAddress(given.address)),
    onDone: onClose,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('add_title')}
      closeButtonProps={{ 'aria-label': tp('close') }}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const given = address.trim()
          if (given === '') return
          add.mutate({ address: given, note: note.trim(), wasListed: isListed(given) })
        }}
      >
        <FormProblem error={add.error} />
        <TextInput
          label={t('address')}
          type="email"
          value={address}
          maxLength={254}
          required
          data-autofocus
          error={fieldProblem(add.error, '/address')}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Textarea
          label={t('note')}
          value={note}
          maxLength={500}
          autosize
          minRows={2}
          error={fieldProblem(add.error, '/note')}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <div className="row-of notice-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={add.isPending} disabled={address.trim() === ''}>
            {t('add_act')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
