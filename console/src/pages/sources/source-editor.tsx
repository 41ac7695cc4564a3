// `/sources/new` (from nothing or a well-known list) and `/sources/{kind}/{name}/edit`.

import { Button, Checkbox, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useKindName } from './badges.tsx'
import { idOf, LIST_KINDS, type NewSource, type Source, sourceQuery, sourcesQuery } from './data.ts'
import { messages } from './messages.ts'
import { findPreset, type Preset } from './presets.tsx'
import { newSourceRoute, sourceRoute } from './route.ts'
import { describeSource } from './source-acts.ts'
import './sources.css'

const FORMATS = ['plain', 'rbldnsd', 'ndjson'] as const
const HOUR = 3_600

interface SourceDraft {
  readonly kind: string
  readonly name: string
  readonly description: string
  readonly origin: string
  readonly licence: string
  readonly ttlHours: number | null
  readonly isFetched: boolean
  readonly isEnabled: boolean
  readonly url: string
  readonly format: (typeof FORMATS)[number]
  readonly listName: string
  readonly everyHours: number
}

function buildDraft(kind: string, name: string, { fetch, ...one }: NewSource): SourceDraft {
  return {
    kind,
    name,
    description: one.description ?? '',
    origin: one.origin ?? '',
    licence: one.licence ?? '',
    ttlHours: one.ttlSeconds === undefined ? null : one.ttlSeconds / HOUR,
    isFetched: fetch !== undefined,
    isEnabled: fetch?.enabled ?? true,
    url: fetch?.url ?? '',
    format: fetch?.format ?? 'plain',
    listName: fetch?.name ?? '',
    everyHours: (fetch?.intervalSeconds ?? 24 * HOUR) / HOUR,
  }
}

function writeSource(draft: SourceDraft): NewSource {
  const { description, origin, licence, ttlHours } = draft
  return {
    ...(description === '' ? {} : { description }),
    ...(origin === '' ? {} : { origin }),
    ...(licence === '' ? {} : { licence }),
    ...(ttlHours === null ? {} : { ttlSeconds: Math.round(ttlHours * HOUR) }),
    ...(draft.isFetched
      ? {
          fetch: {
            url: draft.url.trim(),
            format: draft.format,
            ...(draft.listName === '' ? {} : { name: draft.listName }),
            intervalSeconds: Math.round(draft.everyHours * HOUR),
            enabled: draft.isEnabled,
          },
        }
      : {}),
  }
}

export function NewSourceView() {
  const preset = findPreset(newSourceRoute.useSearch().preset)
  const draft =
    preset === undefined
      ? { ...buildDraft('mail-blocklist', '', {}), isFetched: true }
      : buildDraft(preset.kind, preset.name, readPreset(preset))
  return (
    <Editor
      key={preset?.preset ?? ''}
      source={null}
      start={draft}
      isPreset={preset !== undefined}
    />
  )
}

function readPreset({ description, origin, licence, ttlSeconds, fetch }: Preset): NewSource {
  const format = FORMATS.find((one) => one === fetch.format) ?? 'plain'
  const { url, intervalSeconds } = fetch
  const name = 'name' in fetch && typeof fetch.name === 'string' ? { name: fetch.name } : {}
  return {
    description,
    origin,
    licence,
    ttlSeconds,
    fetch: { url, format, ...name, intervalSeconds, enabled: true },
  }
}

export function SourceView() {
  const t = useText(messages)
  const { kind, name } = sourceRoute.useParams()
  const source = useQuery(sourceQuery(kind, name))
  // A later failure takes no form away that somebody has begun to fill in.
  if (source.data === undefined) {
    return source.error === null ? (
      <Loading />
    ) : (
      <Page title={t('edit_source', { name })}>
        <Problem error={source.error} onRetry={() => void source.refetch()} />
      </Page>
    )
  }
  const start = buildDraft(kind, name, describeSource(source.data))
  return <Editor key={`${kind}/${name}`} source={source.data} start={start} isPreset={false} />
}

interface EditorProps {
  readonly source: Source | null
  readonly start: SourceDraft
  readonly isPreset: boolean
}

function Editor({ source, start, isPreset }: EditorProps) {
  const t = useText(messages)
  const navigate = useNavigate()
  const mayManage = useMay('sources:manage')
  const [draft, setDraft] = useState(start)
  const [isRead, setRead] = useState(!isPreset)
  // What is sent would take the place of a source that is there.
  const sources = useQuery({ ...sourcesQuery, staleTime: 0, enabled: source === null })
  const save = useAct({
    act: (given: SourceDraft) =>
      casework.put('/beta/sources/{kind}/{name}', {
        params: { path: { kind: given.kind, name: given.name } },
        body: writeSource(given),
      }),
    touches: () => [['sources']],
    say: ({ name }) => t('saved', { name }),
    onDone: (_result, { kind, name }) =>
      void navigate({ to: '/sources', search: { open: `${kind}/${name}` } }),
  })
  const id = idOf({ kind: draft.kind, name: draft.name.trim() })
  const hasName = sources.data?.some((one) => idOf(one) === id) === true
  // Once it is saved, it is the one that has the name.
  const isTaken = source === null && !save.isSuccess && hasName
  const isNamed = draft.name.trim() !== '' && !isTaken
  const isReady = isNamed && isRead && (!draft.isFetched || URL.canParse(draft.url.trim()))
  const submit = (): void => {
    if (isReady && !save.isPending) save.mutate({ ...draft, name: draft.name.trim() })
  }
  const title = source === null ? t('new_source') : t('edit_source', { name: source.name })
  useKeys(title, [{ keys: 'mod+s', title: t('save'), run: submit }])
  if (!mayManage) {
    return (
      <Page title={title}>
        <NoPermission error={null} />
      </Page>
    )
  }
  return (
    <Page
      title={title}
      lede={t(source === null ? 'new_lede' : 'edit_lede')}
      acts={
        <>
          <Button variant="default" component={Link} to="/sources">
            {t('cancel')}
          </Button>
          <Button onClick={submit} loading={save.isPending} disabled={!isReady}>
            {t(source === null ? 'create' : 'save')}
          </Button>
        </>
      }
    >
      <div className="source-editor">
        <div className="source-form">
          <FormProblem error={save.error} />
          <About
            draft={draft}
            isNew={source === null}
            isTaken={isTaken}
            set={setDraft}
            error={save.error}
          />
          {isPreset && (
            <Checkbox
              label={t('licence_read')}
              checked={isRead}
              onChange={() => setRead(!isRead)}
              required
            />
          )}
          <Fetching draft={draft} set={setDraft} error={save.error} />
        </div>
        <FetchRules />
      </div>
    </Page>
  )
}

interface FieldsProps {
  readonly draft: SourceDraft
  readonly set: (draft: SourceDraft) => void
  readonly error: unknown
}

interface AboutProps extends FieldsProps {
  readonly isNew: boolean
  readonly isTaken: boolean
}

function About({ draft, isNew, isTaken, set, error }: AboutProps) {
  const t = useText(messages)
  const kindName = useKindName()
  return (
    <>
      {isNew && (
        <div className="source-pair">
          <Select
            label={t('kind')}
            value={draft.kind}
            data={LIST_KINDS.map((value) => ({ value, label: kindName(value) }))}
            allowDeselect={false}
            onChange={(kind) => set({ ...draft, kind: kind ?? draft.kind })}
          />
          <TextInput
            label={t('name')}
            value={draft.name}
            required
            error={isTaken ? t('name_taken') : fieldProblem(error, '/name')}
            onChange={(event) => set({ ...draft, name: event.currentTarget.value })}
          />
        </div>
      )}
      <Textarea
        label={t('description')}
        value={draft.description}
        maxLength={2_000}
        autosize
        minRows={2}
        onChange={(event) => set({ ...draft, description: event.currentTarget.value })}
      />
      <TextInput
        label={t('origin')}
        value={draft.origin}
        maxLength={500}
        onChange={(event) => set({ ...draft, origin: event.currentTarget.value })}
      />
      <Textarea
        label={t('licence')}
        value={draft.licence}
        maxLength={2_000}
        autosize
        minRows={2}
        onChange={(event) => set({ ...draft, licence: event.currentTarget.value })}
      />
      <NumberInput
        label={t('ttl_hours')}
        description={t('ttl_help')}
        value={draft.ttlHours ?? ''}
        min={0}
        hideControls
        error={fieldProblem(error, '/ttlSeconds')}
        onChange={(value) =>
          set({ ...draft, ttlHours: typeof value === 'number' && value > 0 ? value : null })
        }
      />
    </>
  )
}

function Fetching({ draft, set, error }: FieldsProps) {
  const t = useText(messages)
  return (
    <fieldset className="source-section">
      <legend className="section-title">{t('fetching_section')}</legend>
      <Switch
        label={t('is_fetched')}
        checked={draft.isFetched}
        onChange={() => set({ ...draft, isFetched: !draft.isFetched })}
      />
      {draft.isFetched && (
        <>
          <TextInput
            label={t('url')}
            value={draft.url}
            type="url"
            maxLength={2_000}
            required
            error={fieldProblem(error, '/fetch/url')}
            onChange={(event) => set({ ...draft, url: event.currentTarget.value })}
          />
          <div className="source-pair">
            <Select
              label={t('format')}
              value={draft.format}
              data={FORMATS.map((value) => ({ value, label: t(`format_${value}`) }))}
              allowDeselect={false}
              onChange={(value) =>
                set({ ...draft, format: FORMATS.find((one) => one === value) ?? draft.format })
              }
            />
            <NumberInput
              label={t('every_hours')}
              value={draft.everyHours}
              min={0.1}
              hideControls
              error={fieldProblem(error, '/fetch/intervalSeconds')}
              onChange={(value) => {
                if (typeof value === 'number' && value > 0) set({ ...draft, everyHours: value })
              }}
            />
          </div>
          <TextInput
            label={t(draft.kind === 'tag-list' ? 'tag_name' : 'list_name')}
            description={t('list_name_help')}
            value={draft.listName}
            maxLength={100}
            error={fieldProblem(error, '/fetch/name')}
            onChange={(event) => set({ ...draft, listName: event.currentTarget.value })}
          />
          <Switch
            label={t('is_enabled')}
            checked={draft.isEnabled}
            onChange={() => set({ ...draft, isEnabled: !draft.isEnabled })}
          />
        </>
      )}
    </fieldset>
  )
}

const RULES = ['atomic', 'failed', 'shrink', 'wide', 'private'] as const

function FetchRules() {
  const t = useText(messages)
  return (
    <section className="source-rules" aria-label={t('rules_title')}>
      <h2 className="section-title">{t('rules_title')}</h2>
      <ul>
        {RULES.map((rule) => (
          <li key={rule}>{t(`rule_${rule}`)}</li>
        ))}
      </ul>
    </section>
  )
}
