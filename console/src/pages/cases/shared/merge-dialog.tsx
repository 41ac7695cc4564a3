// Merges the selected cases into one of them; Undo takes it back.

import { Button, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useAct } from '../../../data/use-act.ts'
import { useText } from '../../../messages/use-text.ts'
import { DialogActs, DialogFrame } from './act-dialog.tsx'
import { messages } from './messages.ts'

interface MergedCase {
  readonly id: string
  readonly title: string
  readonly createdAt: string
}

export interface MergeDialogProps {
  readonly cases: readonly MergedCase[]
  readonly onClose: () => void
  readonly onDone: (into: string, from: readonly string[]) => void
}

interface Merge {
  readonly into: string
  readonly from: readonly string[]
}

export function MergeDialog({ cases, onClose, onDone }: MergeDialogProps) {
  const t = useText(messages)
  // The oldest has been worked on for the longest.
  const oldest = cases.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))[0]
  const [into, setInto] = useState(oldest?.id ?? '')
  const act = useAct<Merge, unknown>({
    act: (given) => merge('merge', given),
    touches: () => [['cases'], ['events']],
    say: ({ from }) => t('said_merged', { count: from.length }),
    undo: (given) => () => merge('unmerge', given),
    onDone: (_result, given) => onDone(given.into, given.from),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onClose()
    act.mutate({ into, from: cases.map(({ id }) => id).filter((id) => id !== into) })
  }
  return (
    <DialogFrame title={t('title_merge', { count: cases.length })} onClose={onClose}>
      <form onSubmit={submit} className="stack">
        <Radio.Group
          label={t('merge_into')}
          description={t('merge_why')}
          value={into}
          onChange={setInto}
        >
          <div className="stack merge-cases">
            {cases.map(({ id, title }) => (
              <Radio
                key={id}
                value={id}
                label={title}
                {...(id === into ? { 'data-autofocus': true } : {})}
              />
            ))}
          </div>
        </Radio.Group>
        <DialogActs onClose={onClose}>
          <Button type="submit">{t('act_merge', { count: cases.length })}</Button>
        </DialogActs>
      </form>
    </DialogFrame>
  )
}

function merge(what: 'merge' | 'unmerge', { into, from }: Merge): Promise<unknown> {
  const given = { params: { path: { caseId: into } }, body: { from: [...from] } }
  return what === 'merge'
    ? casework.post('/beta/casework/cases/{caseId}/merge', given)
    : casework.post('/beta/casework/cases/{caseId}/unmerge', given)
}
