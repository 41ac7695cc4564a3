// All templates: one row for each name and language.

import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { messages as partMessages } from '../../parts/messages.ts'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { type Template, templatesQuery } from './data.ts'
import { messages } from './messages.ts'
import { noticesRoute } from './route.ts'

export function TemplatesTab() {
  const t = useText(messages)
  const navigate = useNavigate({ from: noticesRoute.fullPath })
  const mayWrite = useMay('playbooks:write')
  const [isNew, setNew] = useState(false)
  const templates = useQuery(templatesQuery)
  const columns = useColumns()
  const open = (name: string, language: string): void =>
    void navigate({ to: '/notices/templates/$name/$language', params: { name, language } })
  // A dialog that is open stays when the list cannot be renewed.
  if (templates.error !== null && templates.data === undefined) {
    return (
      <div className="notice-pad">
        <Problem error={templates.error} onRetry={() => void templates.refetch()} />
      </div>
    )
  }
  // The ones of the tenant first: they are what somebody looks for.
  const rows = (templates.data?.items ?? []).toSorted(
    (a, b) => Number(a.is_shipped) - Number(b.is_shipped),
  )
  return (
    <>
      <div className="filters">
        <span className="dim notice-lede">{t('templates_lede')}</span>
        {mayWrite && (
          <Button
            variant="default"
            leftSection={<Plus size={16} aria-hidden />}
            onClick={() => setNew(true)}
          >
            {t('new_template')}
          </Button>
        )}
      </div>
      <DataTable
        label={t('templates')}
        rows={rows}
        columns={columns}
        rowId={({ name, language }) => `${name} ${language}`}
        rowName={({ name, language }) => `${name} ${language}`}
        isLoading={templates.data === undefined}
        onOpen={({ name, language }) => open(name, language)}
      />
      {isNew && <NewTemplate onClose={() => setNew(false)} onOpen={open} />}
    </>
  )
}

function useColumns(): readonly Column<Template>[] {
  const t = useText(messages)
  const format = useFormat()
  return [
    {
      id: 'name',
      title: t('template'),
      width: '180px',
      narrow: 'first',
      cell: ({ name }) => name,
    },
    {
      id: 'language',
      title: t('language'),
      width: '100px',
      narrow: 'first',
      cell: ({ language }) => format.language(language),
    },
    {
      id: 'subject',
      title: t('subject'),
      width: 'minmax(240px, 2fr)',
      narrow: 'second',
      cell: ({ subject }) => <span className="dim">{subject}</span>,
    },
    {
      id: 'profile',
      title: t('profile'),
      width: '210px',
      cell: ({ profile }) => <span className="dim">{t(`profile_${profile}`)}</span>,
    },
    {
      id: 'origin',
      title: t('origin'),
      width: '160px',
      cell: ({ is_shipped: isShipped, is_active: isActive, version }) => (
        <span className="row-of">
          {isShipped ? (
            <span className="dim">{t('shipped')}</span>
          ) : (
            <Badge tone="blue">{t('own', { version })}</Badge>
          )}
          {!isActive && <Badge tone="grey">{t('off')}</Badge>}
        </span>
      ),
    },
    {
      id: 'changed',
      title: t('changed'),
      width: '130px',
      cell: ({ updated_at: at }) => (at === undefined ? '' : <Since at={at} />),
    },
  ]
}

const NAME = /^[a-z][a-z0-9_-]{0,49}$/
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

function NewTemplate({
  onClose,
  onOpen,
}: {
  readonly onClose: () => void
  readonly onOpen: (name: string, language: string) => void
}) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const [name, setName] = useState('')
  const [language, setLanguage] = useState('en')
  const isReady = NAME.test(name) && LANGUAGE.test(language)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('new_template')}
      closeButtonProps={{ 'aria-label': tp('close') }}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onOpen(name, language)
        }}
      >
        <TextInput
          label={t('new_name')}
          description={t('new_name_help')}
          value={name}
          required
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value.trim())}
        />
        <TextInput
          label={t('new_language')}
          value={language}
          required
          onChange={(event) => setLanguage(event.currentTarget.value.trim())}
        />
        <div className="row-of notice-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={!isReady}>
            {t('open_editor')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
