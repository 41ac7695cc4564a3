// How the person signs in: password, second factors, accounts of providers.

import { useQuery } from '@tanstack/react-query'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { AppSection } from './app-section.tsx'
import { factorsQuery } from './data.ts'
import { IdentitiesSection } from './identities-section.tsx'
import { messages } from './messages.ts'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { RecoverySection } from './recovery-section.tsx'

export function SecurityTab({ linked }: { readonly linked: string | undefined }) {
  const t = useText(messages)
  const factors = useQuery(factorsQuery)
  if (factors.error !== null) {
    return <Problem error={factors.error} onRetry={() => void factors.refetch()} />
  }
  if (factors.data === undefined) return <Loading />
  return (
    <section aria-label={t('security')} className="security">
      <PasswordSection />
      <AppSection factors={factors.data} />
      <PasskeysSection factors={factors.data} />
      <RecoverySection factors={factors.data} />
      <IdentitiesSection linked={linked} />
      <ProofDialog factors={factors.data} />
    </section>
  )
}
