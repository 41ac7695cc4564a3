// A link is looked at first, which does not use it up, so that the page asks for just what it needs.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { CaseworkError } from 'casework/client'
import { casework } from '../../data/client.ts'
import { useText } from '../../messages/use-text.ts'
import { Door } from '../../parts/door.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { LinkForm } from './link-form.tsx'
import { messages } from './messages.ts'

export function WelcomeView() {
  const t = useText(messages)
  const link = useRouterState({ select: ({ location }) => location.hash })
  const checked = useQuery({
    // The secret is no part of a key that could be written down.
    queryKey: ['link'],
    queryFn: () => casework.post('/beta/session/links/check', { body: { link } }),
    enabled: link !== '',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const toSignIn = (
    <Button component={Link} to="/sign-in" variant="default" fullWidth>
      {t('to_sign_in')}
    </Button>
  )
  if (link === '') {
    return (
      <Door title={t('none')} lede={t('none_why')}>
        {toSignIn}
      </Door>
    )
  }
  if (checked.error instanceof CaseworkError && [400, 404].includes(checked.error.status)) {
    return (
      <Door title={t('spent')} lede={t('spent_why')}>
        {toSignIn}
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
