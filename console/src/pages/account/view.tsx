// The account page: a tab for the person's sessions, one for how they sign in, one for what is
// chosen in this browser.

import './account.css'
import { Tabs } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { Page } from '../../parts/page.tsx'
import { DisplayTab } from './display-tab.tsx'
import { messages } from './messages.ts'
import { accountRoute, TABS } from './route.ts'
import { SecurityTab } from './security-tab.tsx'
import { SessionsTab } from './sessions-tab.tsx'

export function AccountView() {
  const t = useText(messages)
  const { user } = useSession()
  const { tab } = accountRoute.useSearch()
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const linked = /^linked=(.{1,64})$/.exec(hash)?.[1]
  const shown = tab ?? (linked === undefined ? 'sessions' : 'security')
  const navigate = useNavigate({ from: accountRoute.fullPath })
  const open = (next: string | null): void => {
    const found = TABS.find((one) => one === next)
    void navigate({ search: { tab: found === 'sessions' ? undefined : found }, replace: true })
  }
  return (
    <Page title={t('title')} lede={`${user.name} · ${user.email}`}>
      <Tabs value={shown} onChange={open} keepMounted={false}>
        <Tabs.List>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(one)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="sessions" pt={16}>
          <SessionsTab />
        </Tabs.Panel>
        <Tabs.Panel value="security" pt={16}>
          <SecurityTab linked={linked} />
        </Tabs.Panel>
        <Tabs.Panel value="display" pt={16}>
          <DisplayTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
