// One dialog for every act on cases: its fields, for several cases what would change, and the button
// that says how many.

import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import { messages as partMessages } from '../../../parts/messages.ts'
import { forgetDraft } from '../../../parts/use-draft.ts'
import { ACT_FIELDS } from './act-fields.tsx'
import { type ActCase, type ActKind, type Draft, nameCommentDraft } from './act-kinds.ts'
import { BulkPreview } from './bulk-preview.tsx'
import { messages } from './messages.ts'
import { previewChange, useChangeCases } from './use-change-cases.ts'

export interface ActDialogProps {
  readonly kind: ActKind
  readonly cases: readonly ActCase[]
  readonly onClose: () => void
  /** Told before the server has answered, so that rows show it at once. */
  readonly onExpect?: (ids: readonly string[], draft: Draft) => void
  /** The ids that were changed. */
  readonly onDone?: (ids: readonly string[], draft: Draft) => void
  /** What was expected did not come. */
  readonly onFail?: (draft: Draft) => void
  /** The ids in which nothing is left of the change. */
  readonly onUndone?: (ids: readonly string[], draft: Draft) => void
}

export function ActDialog(props: ActDialogProps) {
  const { kind, cases, onClose, onExpect, onDone, onFail, onUndone } = props
  const t = useText(messages)
  const { tenant_id: tenantId } = useSession()
  const [draft, setDraft] = useState<Draft | null>(null)
  const count = cases.length
  const ids = cases.map(({ id }) => id)
  const act = useChangeCases()
  // The rows and a toast tell how it went, a failure too: the dialog does not wait.
  const send = (chosen: Draft): void => {
    onClose()
    act.mutate({
      ids,
      change: chosen.change,
      reason: chosen.reason,
      said: chosen.said,
      // Of several, some may be refused: their rows change with the answer.
      expect: count === 1 ? () => onExpect?.(ids, chosen) : undefined,
      show(changed) {
        // A comment that failed is kept for another try.
        if (kind === 'comment' && changed.length > 0) forgetDraft(tenantId, nameCommentDraft(cases))
        onDone?.(changed, chosen)
      },
      fail: count === 1 ? () => onFail?.(chosen) : undefined,
      canUndo: (changed) => canUndo(chosen, cases, changed),
      showUndone: (undone) => onUndone?.(undone, chosen),
    })
  }
  const preview = useQuery({
    queryKey: ['preview', ids, draft?.change],
    queryFn: () => previewChange({ ids, change: draft?.change ?? {} }),
    enabled: count > 1 && draft !== null && kind !== 'comment',
    gcTime: 0,
    staleTime: 0,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (draft !== null) send(draft)
  }
  const Fields = ACT_FIELDS[kind]
  const isNothing = preview.data !== undefined && preview.data.changed === 0
  const shown = preview.data?.changed ?? count
  return (
    <DialogFrame title={t(`title_${kind}`, { count })} onClose={onClose}>
      <form onSubmit={submit} className="stack">
        <Fields
          cases={cases}
          onDraft={setDraft}
          // One case needs no second press.
          onPick={count === 1 ? send : setDraft}
        />
        {count > 1 && kind !== 'comment' && draft !== null && (
          <BulkPreview count={count} result={preview.data} error={preview.error} />
        )}
        <DialogActs onClose={onClose}>
          <Button type="submit" disabled={draft === null || isNothing}>
            {t(`act_${kind}`, { count: count === 1 ? 1 : shown })}
          </Button>
        </DialogActs>
      </form>
    </DialogFrame>
  )
}

/** No move leads back to NEW: a case that was new and is in progress stays so. */
function canUndo(
  { change }: Draft,
  cases: readonly ActCase[],
  changed: readonly string[],
): boolean {
  if (change.state !== 'IN_PROGRESS') return true
  return cases.some(({ id, state }) => state !== 'NEW' && changed.includes(id))
}

export interface DialogFrameProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: React.ReactNode
}

export function DialogFrame({ title, onClose, children }: DialogFrameProps) {
  const t = useText(partMessages)
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered={false}
      yOffset="12vh"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Modal>
  )
}

export function DialogActs({
  onClose,
  children,
}: {
  readonly onClose: () => void
  readonly children: React.ReactNode
}) {
  const t = useText(partMessages)
  return (
    <Group justify="flex-end" gap={8}>
      <Button variant="default" onClick={onClose}>
        {t('cancel')}
      </Button>
      {children}
    </Group>
  )
}
