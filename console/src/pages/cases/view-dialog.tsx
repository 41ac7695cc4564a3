// Names a view: when it is saved, and when it gets another name.

import { Button, Switch, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { messages } from './messages.ts'
import { DialogActs, DialogFrame } from './shared/act-dialog.tsx'

export interface ViewDialogProps {
  /** Of the view that is renamed; a new one has none yet. */
  readonly name?: string | undefined
  readonly onClose: () => void
  readonly onSave: (name: string, isShared: boolean) => void
}

const NAME_MAX = 100

export function ViewDialog({ name, onClose, onSave }: ViewDialogProps) {
  const t = useText(messages)
  const mayShare = useMay('cases:write')
  const [text, setText] = useState(name ?? '')
  const [isShared, setShared] = useState(false)
  const isNew = name === undefined
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() === '') return
    onClose()
    onSave(text.trim(), isShared)
  }
  return (
    <DialogFrame title={t(isNew ? 'view_save' : 'view_rename')} onClose={onClose}>
      <form onSubmit={submit} className="stack">
        <TextInput
          label={t('view_name')}
          data-autofocus
          required
          withAsterisk={false}
          maxLength={NAME_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {isNew && mayShare && (
          <Switch
            label={t('view_shared_label')}
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
        <DialogActs onClose={onClose}>
          <Button type="submit" disabled={text.trim() === ''}>
            {t(isNew ? 'view_save' : 'view_rename')}
          </Button>
        </DialogActs>
      </form>
    </DialogFrame>
  )
}
