// The page of rules: a tab for each kind.

import { Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { useActs } from '../../keys/acts.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import { mustShowFailure, Problem } from '../../parts/problem.tsx'
import { CalendarsTab, useCalendarPanel } from './calendars-tab.tsx'
import { caseGroupsQuery } from './data.ts'
import { EventTest } from './event-test.tsx'
import { GroupList } from './group-list.tsx'
import { GroupPanel } from './group-panel.tsx'
import { messages } from './messages.ts'
import { MuteRulesTab, useMutePanel } from './mute-rules-tab.tsx'
import { rulesRoute, TABS } from './route.ts'
import './rules.css'

const NEW_PATHS = {
  groups: '/rules/new-group',
  mute: '/rules/new-mute-rule',
  calendars: '/rules/new-calendar',
} as const
const NEW_TITLES = { groups: 'new_group', mute: 'new_mute', calendars: 'new_calendar' } as const

export function RulesView() {
  const t = useText(messages)
  const { tab = 'groups', open } = rulesRoute.useSearch()
  const navigate = useNavigate({ from: rulesRoute.fullPath })
  const panel = usePanel(
    tab,
    open,
    () => void navigate({ search: (former) => ({ ...former, open: undefined }) }),
  )
  const show = (next: string | null): void => {
    const found = TABS.find((one) => one === next)
    void navigate({ search: { tab: found === 'groups' ? undefined : found } })
  }
  return (
    <Page title={t('title')} lede={t('lede')} acts={<NewButton />} panel={panel}>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(one)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="groups" pt={16}>
          <GroupsTab />
        </Tabs.Panel>
        <Tabs.Panel value="mute" pt={16}>
          <MuteRulesTab />
        </Tabs.Panel>
        <Tabs.Panel value="calendars" pt={16}>
          <CalendarsTab />
        </Tabs.Panel>
        <Tabs.Panel value="test" pt={16}>
          <EventTest />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function usePanel(tab: (typeof TABS)[number], open: string | undefined, onClose: () => void) {
  const groups = useQuery(caseGroupsQuery)
  const mutePanel = useMutePanel(tab === 'mute' ? open : undefined, onClose)
  const calendarPanel = useCalendarPanel(tab === 'calendars' ? open : undefined, onClose)
  if (open === undefined) return null
  if (tab === 'mute') return mutePanel
  if (tab === 'calendars') return calendarPanel
  const group = tab === 'groups' ? groups.data?.items.find(({ id }) => id === open) : undefined
  return group === undefined ? null : <GroupPanel key={group.id} group={group} onClose={onClose} />
}

function NewButton() {
  const t = useText(messages)
  const { tab = 'groups' } = rulesRoute.useSearch()
  const navigate = useNavigate()
  const mayWrite = useMay('rules:write')
  const mayPlan = useMay('playbooks:write')
  const allowed = {
    groups: mayWrite,
    mute: mayWrite,
    calendars: mayPlan,
  }
  const open = (kind: keyof typeof NEW_PATHS): void => void navigate({ to: NEW_PATHS[kind] })
  const kinds = (['groups', 'mute', 'calendars'] as const).filter((kind) => allowed[kind])
  useActs(
    kinds.map((kind) => ({
      id: `rules-${kind}`,
      title: t(NEW_TITLES[kind]),
      run: () => open(kind),
    })),
  )
  const kind = kinds.find((one) => one === tab)
  useKeys(
    t('title'),
    kind === undefined ? [] : [{ keys: 'n', title: t('key_new'), run: () => open(kind) }],
  )
  if (kind === undefined) return null
  return (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => open(kind)}>
      {t(NEW_TITLES[kind])}
    </Button>
  )
}

function GroupsTab() {
  const t = useText(messages)
  const { open } = rulesRoute.useSearch()
  const navigate = useNavigate({ from: rulesRoute.fullPath })
  const groups = useQuery(caseGroupsQuery)
  if (mustShowFailure(groups)) {
    return <Problem error={groups.error} onRetry={() => void groups.refetch()} />
  }
  if (groups.data === undefined) return <Loading />
  return (
    <section aria-label={t('groups')}>
      <p className="dim rules-lede">{t('groups_lede')}</p>
      <GroupList
        groups={groups.data.items}
        openId={open}
        onOpen={(id) => void navigate({ search: (former) => ({ ...former, open: id }) })}
      />
    </section>
  )
}
