// Another password. It ends all other sessions of the person.

import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { withProof } from '../../data/proof.ts'
import { noteFailure } from '../../data/query-client.ts'
import { useSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { showToast } from '../../parts/toasts.ts'
import { takeFactors } from './data.ts'
import { isGivenUp } from './given-up.ts'
import { isProofRefused } from './proof-refused.ts'
import { messages } from './security-messages.ts'
import { SecuritySection } from './security-section.tsx'

export function PasswordSection() {
  const t = useText(messages)
  const [isOpen, setOpen] = useState(false)
  return (
    <SecuritySection
      title={t('password')}
      lede={t('password_lede')}
      act={
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('password_change')}
        </Button>
      }
    >
      {isOpen && <PasswordDialog onClose={() => setOpen(false)} />}
    </SecuritySection>
  )
}

function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText(messages)
  const { user } = useSession()
  const change = useMutation({
    mutationFn: (body: { readonly current_password?: string; readonly new_password: string }) =>
      withProof(() => casework.put('/beta/session/password', { body })),
    onError: (error) => {
      if (!isProofRefused(error)) noteFailure(error)
    },
    async onSuccess() {
      onClose()
      showToast({ kind: 'done', text: t('password_changed') })
      await takeFactors()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const current = readField(form, 'current')
    // Who came by a provider has none yet.
    const given = current === '' ? {} : { current_password: current }
    change.mutate({ ...given, new_password: readField(form, 'new') })
  }
  const { error } = change
  const isWrong = isProofRefused(error)
  const ofNew = fieldProblem(error, '/new_password')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('password_change')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className="stack" onSubmit={submit}>
        {/* For the password manager of the browser. */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        <PasswordField
          name="current"
          label={t('password_current')}
          description={t('password_current_help')}
          autoComplete="current-password"
          error={isWrong ? t('password_wrong') : undefined}
          data-autofocus
        />
        <PasswordField
          name="new"
          label={t('password_new')}
          description={t('password_help')}
          autoComplete="new-password"
          error={ofNew}
          required
          withAsterisk={false}
        />
        {!isWrong && ofNew === undefined && !isGivenUp(error) && <FormProblem error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('password_set')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function readField(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
