// The authenticator app: set up with a QR code, removed.

import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { withProof } from '../../data/proof.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Since } from '../../parts/since.tsx'
import { showToast } from '../../parts/toasts.ts'
import { takeFactors } from './data.ts'
import { EnrolApp } from './enrol-app.tsx'
import { isGivenUp } from './given-up.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { messages } from './security-messages.ts'
import { SecuritySection } from './security-section.tsx'

export function AppSection({ factors }: { readonly factors: Schemas['Factors'] }) {
  const t = useText(messages)
  const since = factors.totp_since
  const [open, setOpen] = useState<'enrol' | 'remove' | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = (): void => setOpen(null)
  return (
    <SecuritySection
      title={t('app')}
      badge={since !== null && <Badge tone="green">{t('on')}</Badge>}
      lede={
        since === null ? (
          t('app_lede')
        ) : (
          <>
            {t('app_since')} <Since at={since} />
          </>
        )
      }
      act={
        <Button variant="default" onClick={() => setOpen(since === null ? 'enrol' : 'remove')}>
          {t(since === null ? 'app_add' : 'app_remove')}
        </Button>
      }
    >
      {open === 'enrol' && <EnrolDialog onClose={close} onCodes={setCodes} />}
      {codes !== null && <RecoveryCodesDialog codes={codes} onKept={() => setCodes(null)} />}
      {open === 'remove' && <RemoveApp factors={factors} onClose={close} />}
    </SecuritySection>
  )
}

interface EnrolDialogProps {
  readonly onClose: () => void
  /** The first recovery codes, when there were none. */
  readonly onCodes: (codes: readonly string[] | null) => void
}

function EnrolDialog({ onClose, onCodes }: EnrolDialogProps) {
  const t = useText(messages)
  const done = (made: readonly string[] | null): void => {
    showToast({ kind: 'done', text: t('app_added') })
    onClose()
    onCodes(made)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('app_add')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <EnrolApp onDone={done} onGivenUp={onClose} />
    </Modal>
  )
}

interface RemoveAppProps {
  readonly factors: Schemas['Factors']
  readonly onClose: () => void
}

function RemoveApp({ factors, onClose }: RemoveAppProps) {
  const t = useText(messages)
  const remove = useMutation({
    mutationFn: () => withProof(() => casework.delete('/beta/session/factors/totp')),
    async onSuccess() {
      onClose()
      showToast({ kind: 'done', text: t('app_removed') })
      await takeFactors()
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('app_remove_title')}
      act={t('app_remove')}
      onAct={() => remove.mutate()}
      isPending={remove.isPending}
    >
      <div>{t(factors.passkeys.length === 0 ? 'remove_last' : 'app_remove_why')}</div>
      {!isGivenUp(remove.error) && <FormProblem error={remove.error} />}
    </Confirm>
  )
}
