// `/notices/templates/{name}/{language}`: a template beside the mail that it makes of a real case.

import { Button, Input, Select, Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CaseworkError } from 'casework/client'
import { type ReactNode, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { CodeEditor } from '../../parts/code-editor.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ProblemWords } from '../../parts/problem-words.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import {
  newestCasesQuery,
  type PreviewOrder,
  previewQuery,
  type Template,
  templatesQuery,
} from './data.ts'
import { messages } from './messages.ts'
import './notices.css'
import { PURPOSES, templateRoute } from './route.ts'
import { completionsOf } from './template-variables.ts'

export function TemplateView() {
  const t = useText(messages)
  const format = useFormat()
  const { name, language } = templateRoute.useParams()
  const templates = useQuery(templatesQuery)
  const title = t('edit_template', { name, language: format.language(language) })
  // What somebody writes here stays when the list cannot be renewed.
  if (templates.error !== null && templates.data === undefined) {
    return (
      <Page title={title}>
        <Problem error={templates.error} onRetry={() => void templates.refetch()} />
      </Page>
    )
  }
  if (templates.data === undefined) return <Loading />
  const all = templates.data.items
  const stored = all.find((one) => one.name === name && one.language === language)
  // A new language begins with the text of another one.
  const like = stored ?? all.find((one) => one.name === name)
  const purpose = like?.purpose ?? PURPOSES.find((one) => one === name) ?? 'notice'
  const start: Template = {
    subject: '',
    body: '',
    profile: 'customer',
    is_active: true,
    is_shipped: true,
    ...like,
    name,
    language,
    purpose,
  }
  return (
    <Editor
      key={`${name} ${language}`}
      stored={stored ?? null}
      start={start}
      hasShipped={purpose === name && all.some((one) => one.name === name && one.is_shipped)}
    />
  )
}

const PROFILES = ['customer', 'reporter', 'authority'] as const

interface TemplateDraft {
  readonly subject: string
  readonly body: string
  readonly profile: Template['profile']
  readonly isActive: boolean
}

function readDraft(text: string, start: TemplateDraft): TemplateDraft {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...start, ...value } : start
  } catch {
    return start
  }
}

interface EditorProps {
  readonly stored: Template | null
  readonly start: Template
  readonly hasShipped: boolean
}

function Editor({ stored, start, hasShipped }: EditorProps) {
  const t = useText(messages)
  const format = useFormat()
  const navigate = useNavigate()
  const { name, language, purpose } = start
  const mayWrite = useMay('playbooks:write')
  const [text, setText, forget] = useDraft(`template ${name} ${language}`)
  const draft = readDraft(text, {
    subject: start.subject,
    body: start.body,
    profile: start.profile,
    isActive: start.is_active,
  })
  const set = (part: Partial<TemplateDraft>): void => setText(JSON.stringify({ ...draft, ...part }))
  const save = useAct({
    act: ({ isActive, ...given }: TemplateDraft) =>
      casework.put('/beta/casework/templates/{name}/{language}', {
        params: { path: { name, language } },
        body: { ...given, purpose, is_active: isActive },
      }),
    touches: () => [['templates']],
    say: (_draft, { version }) => t('template_saved', { version }),
    onDone: () => {
      forget()
      void navigate({ to: '/notices', search: { tab: 'templates' } })
    },
  })
  const isReady = mayWrite && draft.subject.trim() !== '' && draft.body.trim() !== ''
  const submit = (): void => {
    if (isReady) save.mutate(draft)
  }
  const title = t('edit_template', { name, language: format.language(language) })
  useKeys(title, [{ keys: 'mod+s', title: t('save'), run: submit }])
  const preview = usePreview(name, language, draft)
  const fault = (path: string): ReactNode =>
    fieldProblem(save.error, path) ?? fieldProblem(preview.query.error, path)
  return (
    <Page
      title={title}
      lede={stored === null ? t('template_missing') : t('editor_lede')}
      acts={
        <>
          {mayWrite && stored !== null && !stored.is_shipped && (
            <Remove template={stored} hasShipped={hasShipped} />
          )}
          <Button variant="default" component={Link} to="/notices?tab=templates">
            {t('cancel')}
          </Button>
          {mayWrite && (
            <Button onClick={submit} loading={save.isPending} disabled={!isReady}>
              {t('save_template')}
            </Button>
          )}
        </>
      }
    >
      <div className="template-editor">
        <div className="stack">
          <FormProblem error={save.error} />
          {text !== '' && (
            <div className="note" data-tone="grey" role="status">
              <span>{t('draft_kept')}</span>
              <Button variant="subtle" onClick={forget}>
                {t('draft_discard')}
              </Button>
            </div>
          )}
          <div className="template-head">
            <Select
              label={t('profile')}
              value={draft.profile}
              data={PROFILES.map((value) => ({ value, label: t(`profile_${value}`) }))}
              allowDeselect={false}
              disabled={!mayWrite}
              onChange={(value) =>
                set({ profile: PROFILES.find((one) => one === value) ?? draft.profile })
              }
            />
            <Switch
              label={t('active')}
              checked={draft.isActive}
              disabled={!mayWrite}
              onChange={() => set({ isActive: !draft.isActive })}
            />
          </div>
          <TextField
            label={t('subject')}
            value={draft.subject}
            profile={draft.profile}
            isReadOnly={!mayWrite}
            error={fault('/subject')}
            onChange={(subject) => set({ subject })}
          />
          <TextField
            label={t('body')}
            value={draft.body}
            profile={draft.profile}
            isReadOnly={!mayWrite}
            error={fault('/body')}
            onChange={(body) => set({ body })}
          />
          <p className="dim small notice-lede">
            {stored?.version !== undefined && `${t('version')} ${stored.version}. `}
            {t('versions_why')}
          </p>
        </div>
        <Preview preview={preview} />
      </div>
    </Page>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly profile: Template['profile']
  readonly isReadOnly: boolean
  readonly error: ReactNode
  readonly onChange: (value: string) => void
}

function TextField({ label, value, profile, isReadOnly, error, onChange }: TextFieldProps) {
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <CodeEditor
        label={label}
        value={value}
        onChange={onChange}
        isReadOnly={isReadOnly}
        completions={completionsOf(profile)}
      />
    </Input.Wrapper>
  )
}

const TYPING_MS = 500

function usePreview(name: string, language: string, draft: TemplateDraft) {
  const { case: chosen } = templateRoute.useSearch()
  const mayRead = useMay('cases:read')
  const cases = useQuery({ ...newestCasesQuery, enabled: mayRead })
  const caseId = chosen ?? cases.data?.items[0]?.id
  const { subject, body, profile } = draft
  const [settled] = useDebouncedValue(JSON.stringify({ subject, body, profile }), TYPING_MS)
  const text: Pick<PreviewOrder, 'subject' | 'body' | 'profile'> = JSON.parse(settled)
  const isEmpty = text.subject.trim() === '' || text.body.trim() === ''
  const query = useQuery({
    ...previewQuery({ name, language, caseId: caseId ?? '', ...text }),
    enabled: mayRead && caseId !== undefined && !isEmpty,
  })
  return { cases, caseId, query, mayRead }
}

function Preview({ preview }: { readonly preview: ReturnType<typeof usePreview> }) {
  const t = useText(messages)
  const navigate = useNavigate({ from: templateRoute.fullPath })
  const { cases, caseId, query, mayRead } = preview
  const { data, error } = query
  const isField = error instanceof CaseworkError && error.locations.length > 0
  const known = cases.data?.items ?? []
  const choices = [
    ...known.map((one) => ({
      value: one.id,
      label: [one.summary?.customer_name, one.id].filter(Boolean).join(' · '),
    })),
    ...(caseId === undefined || known.some(({ id }) => id === caseId)
      ? []
      : [{ value: caseId, label: caseId }]),
  ]
  return (
    <section className="mail-preview" aria-label={t('preview')} aria-busy={query.isFetching}>
      <h2 className="section-title">{t('preview')}</h2>
      {!mayRead && <p className="dim">{t('preview_forbidden')}</p>}
      {mayRead && cases.data !== undefined && choices.length === 0 && (
        <p className="dim">{t('preview_none')}</p>
      )}
      {choices.length > 0 && (
        <Select
          label={t('preview_case')}
          value={caseId ?? null}
          data={choices}
          allowDeselect={false}
          searchable
          onChange={(value) =>
            void navigate({ search: { case: value ?? undefined }, replace: true })
          }
        />
      )}
      {error !== null && (
        <div className="note" data-tone={isField ? 'amber' : 'red'} role="status">
          <span>{isField ? t('preview_faulty') : <ProblemWords error={error} />}</span>
        </div>
      )}
      {error === null && query.isLoading && <Loading lines={4} />}
      {error === null && data !== undefined && (
        <article className="mail" aria-label={data.subject}>
          <h3 className="section-title">{data.subject}</h3>
          <pre className="mail-text">{data.text}</pre>
        </article>
      )}
    </section>
  )
}

function Remove({
  template: { name, language, version },
  hasShipped,
}: {
  readonly template: Template
  readonly hasShipped: boolean
}) {
  const t = useText(messages)
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = useAct({
    act: () =>
      casework.delete('/beta/casework/templates/{name}/{language}', {
        params: { path: { name, language } },
      }),
    touches: () => [['templates']],
    say: () => t('template_deleted'),
    onDone: () => void navigate({ to: '/notices', search: { tab: 'templates' } }),
  })
  const title = t(hasShipped ? 'use_shipped' : 'delete_template')
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {title}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={title}
        act={title}
        onAct={() => remove.mutate(undefined)}
        isPending={remove.isPending}
      >
        <div>{t(hasShipped ? 'use_shipped_why' : 'delete_template_why', { version })}</div>
      </Confirm>
    </>
  )
}
