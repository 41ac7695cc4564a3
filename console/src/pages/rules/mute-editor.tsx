// `/rules/new-mute-rule`: values or a condition, a reason, an end, and what it would have muted.

import {
  ActionIcon,
  Button,
  Group,
  Menu,
  SegmentedControl,
  Textarea,
  TextInput,
} from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Page } from '../../parts/page.tsx'
import { useNow } from '../../parts/since.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { ConditionField } from './condition-field.tsx'
import type { TrialRequest } from './data.ts'
import { messages } from './editor-messages.ts'
import { KEY_FIELDS, type KeyField } from './group-draft.ts'
import { DraftNote } from './group-editor.tsx'
import { Section } from './group-form.tsx'
import { newMuteRuleRoute } from './route.ts'
import './rules.css'
import { TrialPreview, useTrial } from './trial-preview.tsx'

interface MuteDraft {
  readonly key: Readonly<Partial<Record<KeyField, string>>>
  readonly condition: string
  readonly reason: string
  readonly days: number
}

const EMPTY: MuteDraft = { key: { ip: '' }, condition: '', reason: '', days: 30 }
const ENDS_DAYS = [1, 7, 30, 90, 365] as const
const DAY_MS = 86_400_000

function readDraft(text: string): MuteDraft {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...EMPTY, ...value } : EMPTY
  } catch {
    return EMPTY
  }
}

type Matched =
  | { readonly condition: string }
  | { readonly key: Readonly<Partial<Record<KeyField, string>>> }

/** Null while it says nothing yet. */
function readMatched(draft: MuteDraft, isByCondition: boolean): Matched | null {
  if (isByCondition) return draft.condition.trim() === '' ? null : { condition: draft.condition }
  const given = KEY_FIELDS.flatMap((field) => {
    const value = draft.key[field]?.trim() ?? ''
    return value === '' ? [] : [[field, value] as const]
  })
  return given.length === 0 ? null : { key: Object.fromEntries(given) }
}

export function NewMuteRuleView() {
  const t = useText(messages)
  const navigate = useNavigate({ from: newMuteRuleRoute.fullPath })
  const isByCondition = newMuteRuleRoute.useSearch().by === 'condition'
  const mayWrite = useMay('rules:write')
  const [stored, setStored, forget] = useDraft('mute-rule')
  const draft = useMemo(() => readDraft(stored), [stored])
  const matched = useMemo(() => readMatched(draft, isByCondition), [draft, isByCondition])
  const request = useMemo((): TrialRequest | null => {
    return matched === null ? null : { mute_rule: matched }
  }, [matched])
  const trial = useTrial(request)
  const create = useAct({
    act: (given: Matched) =>
      casework.post('/beta/casework/mute-rules', {
        body: {
          ...given,
          reason: draft.reason,
          // A minute less than the year that is allowed, for clocks that differ.
          until: new Date(Date.now() + draft.days * DAY_MS - 60_000).toISOString(),
        },
      }),
    touches: () => [['mute-rules']],
    say: () => t('muted_created'),
    onDone: ({ id }) => {
      forget()
      void navigate({ to: '/rules', search: { tab: 'mute', open: id } })
    },
  })
  const isReady = matched !== null && draft.reason.trim() !== ''
  const submit = (): void => {
    // A key can be pressed again while the first answer is awaited.
    if (isReady && !create.isPending) create.mutate(matched)
  }
  useKeys(t('new_mute'), [{ keys: 'mod+s', title: t('save'), run: submit }])
  if (!mayWrite) {
    return (
      <Page title={t('new_mute')}>
        <NoPermission error={null} />
      </Page>
    )
  }
  const set = (part: Partial<MuteDraft>): void => setStored(JSON.stringify({ ...draft, ...part }))
  return (
    <Page
      title={t('new_mute')}
      lede={t('mute_lede')}
      acts={
        <>
          <Button variant="default" component={Link} to="/rules?tab=mute">
            {t('back')}
          </Button>
          <Button onClick={submit} loading={create.isPending} disabled={!isReady}>
            {t('create_mute')}
          </Button>
        </>
      }
    >
      <div className="rule-editor">
        <div className="rule-form">
          <FormProblem error={create.error} />
          <DraftNote isShown={stored !== ''} onDiscard={forget} />
          <Section title={t('by')}>
            <SegmentedControl
              aria-label={t('by')}
              value={isByCondition ? 'condition' : 'key'}
              data={(['key', 'condition'] as const).map((value) => ({
                value,
                label: t(`by_${value}`),
              }))}
              onChange={(value) =>
                void navigate({
                  search: { by: value === 'condition' ? 'condition' : undefined },
                  replace: true,
                })
              }
            />
            {isByCondition ? (
              <ConditionField
                label={t('condition')}
                value={draft.condition}
                error={findFault(create.error ?? trial.error, '/condition')}
                onChange={(condition) => set({ condition })}
              />
            ) : (
              <KeyValues
                values={draft.key}
                error={create.error ?? trial.error}
                onChange={(key) => set({ key })}
              />
            )}
          </Section>
          <Textarea
            label={t('reason')}
            description={t('reason_help')}
            value={draft.reason}
            maxLength={1_000}
            autosize
            minRows={2}
            required
            error={findFault(create.error, '/reason')}
            onChange={(event) => set({ reason: event.currentTarget.value })}
          />
          <Until days={draft.days} onChange={(days) => set({ days })} />
        </div>
        <TrialPreview trial={trial} kind="mute" />
      </div>
    </Page>
  )
}

function findFault(error: unknown, path: string): ReactElement | undefined {
  return fieldProblem(error, path) ?? fieldProblem(error, `/mute_rule${path}`)
}

interface KeyValuesProps {
  readonly values: MuteDraft['key']
  readonly onChange: (values: MuteDraft['key']) => void
  readonly error: unknown
}

function KeyValues({ values, onChange, error }: KeyValuesProps) {
  const t = useText(messages)
  const used = KEY_FIELDS.filter((field) => values[field] !== undefined)
  const left = KEY_FIELDS.filter((field) => values[field] === undefined)
  return (
    <>
      <p className="dim">{t('key_values_help')}</p>
      {used.map((field) => (
        <div key={field} className="key-value">
          <TextInput
            label={t(`key_${field}`)}
            value={values[field] ?? ''}
            maxLength={256}
            className="mono-field"
            error={findFault(error, `/key/${field}`)}
            onChange={(event) => onChange({ ...values, [field]: event.currentTarget.value })}
          />
          {used.length > 1 && (
            <ActionIcon
              aria-label={t('remove_value', { field: t(`key_${field}`) })}
              onClick={() =>
                onChange(
                  Object.fromEntries(Object.entries(values).filter(([name]) => name !== field)),
                )
              }
            >
              <X size={16} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      {left.length > 0 && (
        <div>
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" leftSection={<Plus size={16} aria-hidden />}>
                {t('add_value')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {left.map((field) => (
                <Menu.Item key={field} onClick={() => onChange({ ...values, [field]: '' })}>
                  {t(`key_${field}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
    </>
  )
}

function Until({
  days,
  onChange,
}: {
  readonly days: number
  readonly onChange: (days: number) => void
}) {
  const t = useText(messages)
  const format = useFormat()
  const nowMs = useNow()
  return (
    <div className="until">
      <div className="until-label">{t('until')}</div>
      <Group gap={12}>
        <SegmentedControl
          aria-label={t('until')}
          value={String(days)}
          data={ENDS_DAYS.map((count) => ({
            value: String(count),
            label: t('until_days', { count }),
          }))}
          onChange={(value) => onChange(Number(value))}
        />
        <span className="dim">{format.time(new Date(nowMs + days * DAY_MS))}</span>
      </Group>
      <div className="dim small">{t('until_help')}</div>
    </div>
  )
}
