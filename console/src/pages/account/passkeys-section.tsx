// The passkeys of the person: a list, with a name each that they chose.

import { ActionIcon, Button, Group, Modal, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { hasPasskeys } from '../../data/passkeys.ts'
import { withProof } from '../../data/proof.ts'
import { signInWaysQuery } from '../../data/sign-in-ways.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Since } from '../../parts/since.tsx'
import { showToast } from '../../parts/toasts.ts'
import { AddPasskey } from './add-passkey.tsx'
import { takeFactors } from './data.ts'
import { isGivenUp } from './given-up.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { messages } from './security-messages.ts'
import { SecuritySection } from './security-section.tsx'

type Passkey = Schemas['Passkey']

export function PasskeysSection({ factors }: { readonly factors: Schemas['Factors'] }) {
  const t = useText(messages)
  const ways = useQuery(signInWaysQuery)
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { passkeys } = factors
  const refused = ways.data?.passkeys.reason ?? null
  const canAdd = refused === null && hasPasskeys()
  return (
    <SecuritySection
      title={t('passkeys')}
      badge={passkeys.length > 0 && <Badge tone="green">{t('on')}</Badge>}
      lede={
        refused === null ? (
          t(hasPasskeys() ? 'passkeys_lede' : 'passkey_no_browser')
        ) : (
          <span lang="en">{refused}</span>
        )
      }
      act={
        canAdd && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('passkey_add')}
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul className="sessions" aria-label={t('passkeys')}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} factors={factors} />
          ))}
        </ul>
      )}
      {isAdding && <AddDialog onClose={() => setAdding(false)} onCodes={setCodes} />}
      {codes !== null && <RecoveryCodesDialog codes={codes} onKept={() => setCodes(null)} />}
    </SecuritySection>
  )
}

interface AddDialogProps {
  readonly onClose: () => void
  /** The first recovery codes, when there were none. */
  readonly onCodes: (codes: readonly string[] | null) => void
}

function AddDialog({ onClose, onCodes }: AddDialogProps) {
  const t = useText(messages)
  const done = (made: readonly string[] | null): void => {
    showToast({ kind: 'done', text: t('passkey_added') })
    onClose()
    onCodes(made)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('passkey_add')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <AddPasskey onDone={done} />
    </Modal>
  )
}

interface PasskeyRowProps {
  readonly passkey: Passkey
  readonly factors: Schemas['Factors']
}

function PasskeyRow({ passkey, factors }: PasskeyRowProps) {
  const t = useText(messages)
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const close = (): void => setOpen(null)
  const { name } = passkey
  return (
    <li className="session">
      <KeyRound size={18} aria-hidden className="dim" />
      <div className="session-words">
        <div className="row-of">
          <span className="cut">{name}</span>
          {passkey.is_synced && <Badge tone="grey">{t('passkey_synced')}</Badge>}
        </div>
        <div className="dim small">
          {t('passkey_since')} <Since at={passkey.created_at} />
          {' · '}
          {passkey.last_used_at === null ? (
            t('passkey_unused')
          ) : (
            <>
              {t('passkey_used')} <Since at={passkey.last_used_at} />
            </>
          )}
        </div>
      </div>
      <Group gap={4} wrap="nowrap">
        <ActionIcon aria-label={t('passkey_rename', { name })} onClick={() => setOpen('rename')}>
          <Pencil size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label={t('passkey_remove', { name })} onClick={() => setOpen('remove')}>
          <Trash2 size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {open === 'rename' && <RenameDialog passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemoveDialog passkey={passkey} factors={factors} onClose={close} />}
    </li>
  )
}

interface DialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

function RenameDialog({ passkey, onClose }: DialogProps) {
  const t = useText(messages)
  const [name, setName] = useState(passkey.name)
  const rename = useMutation({
    mutationFn: () =>
      casework.patch('/beta/session/factors/passkeys/{passkeyId}', {
        params: { path: { passkeyId: passkey.id } },
        body: { name: name.trim() },
      }),
    async onSuccess(factors) {
      onClose()
      await takeFactors(factors)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('passkey_rename', { name: passkey.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className="stack" onSubmit={submit}>
        <TextInput
          label={t('passkey_name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          withAsterisk={false}
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
    </Modal>
  )
}

function RemoveDialog({ passkey, factors, onClose }: DialogProps & PasskeyRowProps) {
  const t = useText(messages)
  const { id: passkeyId, name } = passkey
  const remove = useMutation({
    mutationFn: () =>
      withProof(() =>
        casework.delete('/beta/session/factors/passkeys/{passkeyId}', {
          params: { path: { passkeyId } },
        }),
      ),
    async onSuccess() {
      onClose()
      showToast({ kind: 'done', text: t('passkey_removed', { name }) })
      await takeFactors()
    },
  })
  const isLast = factors.passkeys.length === 1 && factors.totp_since === null
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('passkey_remove', { name })}
      act={t('passkey_remove_act')}
      onAct={() => remove.mutate()}
      isPending={remove.isPending}
    >
      <div>{t(isLast ? 'remove_last' : 'passkey_remove_why')}</div>
      {!isGivenUp(remove.error) && <FormProblem error={remove.error} />}
    </Confirm>
  )
}
