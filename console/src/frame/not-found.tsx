// An address that no page has.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useText } from '../messages/use-text.ts'
import { Page } from '../parts/page.tsx'
import { messages } from './messages.ts'

export function NotFound() {
  const t = useText(messages)
  return (
    <Page title={t('not_found')} lede={t('not_found_why')}>
      <Button component={Link} to="/">
        {t('go_home')}
      </Button>
    </Page>
  )
}
