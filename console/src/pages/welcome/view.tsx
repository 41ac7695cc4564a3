// A link is looked at first, which does not use it up, so that the page asks for just what it needs.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { CaseworkError } from 'casework/client'
import { useId } from 'react'
import { casework } from '../../data/client.ts'
import { useText } from '../../messages/use-text.ts'
import { Door } from '../../parts/door.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { LinkForm } from './link-form.tsx'
import { messages } from './messages.ts'

export function WelcomeView() {
  const link = useRouterState({ select: ({ location }) => location.hash })
  // Another link in the same tab is another hash of the same page.
  return link === '' ? <NoLink /> : <FoundLink key={link} link={link} />
}

function NoLink() {
  const t = useText(messages)
  return (
    <Door title={t('none')} lede={t('none_why')}>
      <ToSignIn />
    </Door>
  )
}

function FoundLink({ link }: { readonly link: string }) {
  const t = useText(messages)
  const id = useId()
  const checked = useQuery({
    // The secret is no part of a key that could be written down.
    queryKey: ['link', id],
    queryFn: () => casework.post('/beta/session/links/check', { body: { link } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (checked.error instanceof CaseworkError && [400, 404].includes(checked.error.status)) {
    return (
      <Door title={t('spent')} lede={t('spent_why')}>
        <ToSignIn />
      </Door>
    )
  }
  if (checked.error !== null) {
    return (
      <Door title={t('none')}>
        <Problem error={checked.error} onRetry={() => void checked.refetch()} />
      </Door>
    )
  }
  if (checked.data === undefined) {
    return (
      <Door title="Casework">
        <Loading lines={4} />
      </Door>
    )
  }
  return <LinkForm link={link} checked={checked.data} />
}

function ToSignIn() {
  const t = useText(messages)
  return (
    <Button component={Link} to="/sign-in" variant="default" fullWidth>
      {t('to_sign_in')}
    </Button>
  )
}
