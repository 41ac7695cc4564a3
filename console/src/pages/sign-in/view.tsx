// Signing in by password, passkey or provider: what works at this address. What does not says why.

import './sign-in.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import type { Schemas } from 'casework/client'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { hasPasskeys } from '../../data/passkeys.ts'
import { enterSession, type OwnSession } from '../../data/session.ts'
import { signInWaysQuery } from '../../data/sign-in-ways.ts'
import { useText } from '../../messages/use-text.ts'
import { Door } from '../../parts/door.tsx'
import { Loading } from '../../parts/loading.tsx'
import { writeSearch } from '../../search-params.ts'
import { messages } from './messages.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { PasswordForm } from './password-form.tsx'
import { findProviderProblem } from './provider-problem.ts'
import { signInRoute } from './route.ts'
import { SecondFactorForm } from './second-factor.tsx'

export function SignInView() {
  const t = useText(messages)
  const { why, next } = signInRoute.useSearch()
  const router = useRouter()
  const ways = useQuery(signInWaysQuery)
  const [needed, setNeeded] = useState<Schemas['SecondFactorNeeded'] | null>(null)
  const enter = (session: OwnSession): void => {
    enterSession(session)
    router.history.push(next ?? '/')
  }
  if (needed !== null) {
    return (
      <Door title={t('title')} lede={t('second')}>
        <SecondFactorForm needed={needed} onSession={enter} onStartOver={() => setNeeded(null)} />
      </Door>
    )
  }
  return (
    <Door title={t('title')} lede={t(why ?? 'lede')} foot={t('no_account')}>
      <ProviderProblem />
      {/* Without an answer the password is tried: the server says then what is wrong. */}
      {ways.isPending ? (
        <Loading lines={4} />
      ) : (
        <Ways ways={ways.data} next={next} onSession={enter} onNeeded={setNeeded} />
      )}
    </Door>
  )
}

interface WaysProps {
  readonly ways: Schemas['SignInWays'] | undefined
  /** The page to come to. */
  readonly next: string | undefined
  readonly onSession: (session: OwnSession) => void
  readonly onNeeded: (needed: Schemas['SecondFactorNeeded']) => void
}

function Ways({ ways, next, onSession, onNeeded }: WaysProps) {
  const t = useText(messages)
  const providers = ways?.providers ?? []
  const hasPassword = ways?.password.available !== false
  const canUsePasskeys = ways?.passkeys.available === true && hasPasskeys()
  return (
    <div className="stack">
      {hasPassword ? (
        <PasswordForm onSession={onSession} onNeeded={onNeeded} />
      ) : (
        <div className="note note-text" data-tone="amber" role="alert">
          <ShieldAlert size={16} aria-hidden />
          <span lang="en">{ways?.password.reason}</span>
        </div>
      )}
      {hasPassword && (canUsePasskeys || providers.length > 0) && (
        <div className="or">
          <span>{t('or')}</span>
        </div>
      )}
      {canUsePasskeys && <PasskeyButton onSession={onSession} />}
      {providers.map(({ id, name, start_url: url }) => (
        <Button
          key={id}
          component="a"
          href={url + writeSearch({ next })}
          variant="default"
          fullWidth
        >
          <span className="cut">{t('with_provider', { name })}</span>
        </Button>
      ))}
      {ways?.passkeys.available === false && hasPassword && (
        <details className="why-not small">
          <summary>{t('no_passkeys')}</summary>
          <p lang="en">{ways.passkeys.reason}</p>
        </details>
      )}
    </div>
  )
}

/** A provider sends the browser back with the code of its refusal behind the `#`. */
function ProviderProblem() {
  const t = useText(messages)
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const problem = findProviderProblem(hash)
  if (problem === null) return null
  return (
    <div className="note note-text door-note" data-tone="red" role="alert">
      <ShieldAlert size={16} aria-hidden />
      <span>{t(problem.text, { code: problem.code })}</span>
    </div>
  )
}
