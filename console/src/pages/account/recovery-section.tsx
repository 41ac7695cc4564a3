// The recovery codes that stand in for a lost factor: how many are left, and new ones.

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { withProof } from '../../data/proof.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { takeFactors } from './data.ts'
import { isGivenUp } from './given-up.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { messages } from './security-messages.ts'
import { SecuritySection } from './security-section.tsx'

// So few may be gone before the next one is needed.
const FEW = 3

export function RecoverySection({ factors }: { readonly factors: Schemas['Factors'] }) {
  const t = useText(messages)
  const [isAsking, setAsking] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const left = factors.recovery_codes_left
  const make = useMutation({
    mutationFn: () => withProof(() => casework.post('/beta/session/factors/recovery-codes')),
    async onSuccess({ recovery_codes: made }) {
      setAsking(false)
      setCodes(made)
      await takeFactors()
    },
  })
  const hasFactor = factors.totp_since !== null || factors.passkeys.length > 0
  return (
    <SecuritySection
      title={t('codes')}
      badge={hasFactor && left <= FEW && <Badge tone="amber">{t('codes_few')}</Badge>}
      lede={hasFactor ? t('codes_left', { count: left }) : t('codes_need')}
      act={
        hasFactor && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('codes_make')}
          </Button>
        )
      }
    >
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('codes_make_title')}
        act={t('codes_make')}
        onAct={() => make.mutate()}
        isPending={make.isPending}
      >
        <div>{t('codes_make_why', { count: left })}</div>
        {!isGivenUp(make.error) && <FormProblem error={make.error} />}
      </Confirm>
      {codes !== null && <RecoveryCodesDialog codes={codes} onKept={() => setCodes(null)} />}
    </SecuritySection>
  )
}
