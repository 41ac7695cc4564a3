// One source: its state and why, its fetches, its terms, and what can be done to it.

import { Button, Menu } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ServerReasons } from '../../parts/server-reasons.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Since } from '../../parts/since.tsx'
import { SourceStateBadge, useKindName, usePeriod } from './badges.tsx'
import { LIST_KINDS, type Source } from './data.ts'
import { messages } from './messages.ts'
import { useFetchNow, useRemove, useSchedule, wasShrunk } from './source-acts.ts'
import { SourceHistoryCharts } from './source-history.tsx'

export interface SourcePanelProps {
  readonly source: Source
  readonly onClose: () => void
}

export function SourcePanel({ source, onClose }: SourcePanelProps) {
  const t = useText(messages)
  const { trouble } = source.fetch ?? {}
  return (
    <SidePanel title={source.name} onClose={onClose} acts={<Acts {...{ source, onClose }} />}>
      <div className="stack">
        <div className="source-state">
          <SourceStateBadge state={source.state} />
          <span className="dim">{t(`why_${source.state}`)}</span>
        </div>
        {trouble !== undefined && (
          <div className="note" data-tone="red" role="status">
            <span>
              <ServerReasons reasons={[trouble]} />
            </span>
          </div>
        )}
        {wasShrunk(trouble) && <ShrinkGuard source={source} />}
        {LIST_KINDS.some((one) => one === source.kind) && <SourceHistoryCharts source={source} />}
        <Facts source={source} />
      </div>
    </SidePanel>
  )
}

function Acts({ source, onClose }: SourcePanelProps) {
  const t = useText(messages)
  const navigate = useNavigate()
  const mayManage = useMay('sources:manage')
  const mayRead = useMay('intel:read')
  const [isRemoving, setRemoving] = useState(false)
  const fetchNow = useFetchNow()
  const schedule = useSchedule()
  const remove = useRemove(onClose)
  const { kind, name, fetch, entries } = source
  const base = `/sources/${encodeURIComponent(kind)}/${encodeURIComponent(name)}`
  const editPath: string = `${base}/edit`
  const entriesPath: string = `${base}/entries`
  const isList = LIST_KINDS.some((one) => one === kind)
  const isBusy = fetchNow.isPending || fetch?.running === true
  const run = (): void => {
    if (!isBusy) fetchNow.mutate({ source, mayShrink: false })
  }
  useKeys(
    t('sources'),
    mayManage
      ? [
          ...(fetch === undefined ? [] : [{ keys: 'f', title: t('key_fetch'), run }]),
          { keys: 'e', title: t('key_edit'), run: () => void navigate({ to: editPath }) },
        ]
      : [],
  )
  return (
    <>
      {mayManage && fetch !== undefined && (
        <Button leftSection={<RotateCw size={14} aria-hidden />} loading={isBusy} onClick={run}>
          {t('fetch_now')}
        </Button>
      )}
      {mayRead && (
        <Button variant="default" component={Link} to={entriesPath}>
          {t('see_entries')}
        </Button>
      )}
      {mayManage && (
        <Menu position="top-end">
          <Menu.Target>
            <Button variant="default">{t('more')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void navigate({ to: editPath })}>{t('edit')}</Menu.Item>
            {isList && fetch !== undefined && (
              <Menu.Item onClick={() => schedule.mutate(source)}>
                {t(fetch.enabled ? 'disable' : 'enable')}
              </Menu.Item>
            )}
            <Menu.Item color="red" onClick={() => setRemoving(true)}>
              {t('remove')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('remove_named', { name })}
        act={t('remove_act', { count: entries })}
        onAct={() => remove.mutate(source)}
        isPending={remove.isPending}
      >
        <div>{t('remove_why', { name, count: entries })}</div>
      </Confirm>
    </>
  )
}

function ShrinkGuard({ source }: { readonly source: Source }) {
  const t = useText(messages)
  const mayManage = useMay('sources:manage')
  const [isAsking, setAsking] = useState(false)
  const fetchNow = useFetchNow()
  if (!mayManage) return null
  return (
    <>
      <div>
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('shrink_title')}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('shrink_title')}
        act={t('shrink_accept')}
        isPending={fetchNow.isPending}
        onAct={() =>
          fetchNow.mutate({ source, mayShrink: true }, { onSettled: () => setAsking(false) })
        }
      >
        <div>{t('shrink_why', { count: source.entries })}</div>
      </Confirm>
    </>
  )
}

function Facts({ source }: { readonly source: Source }) {
  const t = useText(messages)
  const format = useFormat()
  const kindName = useKindName()
  const period = usePeriod()
  const mayManage = useMay('sources:manage')
  const { fetch, ttlSeconds, description, origin, licence } = source
  return (
    <dl className="facts">
      {description !== undefined && description !== '' && (
        <>
          <dt>{t('description')}</dt>
          <dd>{description}</dd>
        </>
      )}
      <dt>{t('kind')}</dt>
      <dd>{kindName(source.kind)}</dd>
      <dt>{t('entries')}</dt>
      <dd>{format.number(source.entries)}</dd>
      <dt>{t('heard')}</dt>
      <dd>
        <Since at={source.heardAt} />
      </dd>
      {fetch !== undefined && (
        <>
          <dt>{t('tried')}</dt>
          <dd>
            <Since at={fetch.triedAt} />
          </dd>
          <dt>{t('next')}</dt>
          <dd>{fetch.enabled ? <Since at={fetch.nextAt} /> : t('by_hand')}</dd>
          <dt>{t('every')}</dt>
          <dd>{period(fetch.intervalSeconds)}</dd>
          <dt>{t('url')}</dt>
          <dd>
            <span className="mono">{fetch.url}</span>
            {!mayManage && <div className="dim small">{t('url_short')}</div>}
          </dd>
          <dt>{t('format')}</dt>
          <dd>{t(`format_${fetch.format}`)}</dd>
        </>
      )}
      <dt>{t('ttl')}</dt>
      <dd>{ttlSeconds === undefined ? t('ttl_never') : period(ttlSeconds)}</dd>
      <dt>{t('retention')}</dt>
      <dd>{t('retention_why')}</dd>
      <dt>{t('origin')}</dt>
      <dd>{origin ?? <span className="dim">{t('no_licence')}</span>}</dd>
      <dt>{t('licence')}</dt>
      <dd>{licence ?? <span className="dim">{t('no_licence')}</span>}</dd>
      <dt>{t('created')}</dt>
      <dd>
        <Since at={source.createdAt} />
      </dd>
    </dl>
  )
}
