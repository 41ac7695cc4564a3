// The members of a case group as a form, in the order in which an event meets them: which events,
// which case, when it opens, when it ends, what follows.

import {
  Checkbox,
  Input,
  MultiSelect,
  NumberInput,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { fieldProblem } from '../../parts/form-problem.tsx'
import { playbooksQuery } from '../playbooks/data.ts'
import { ConditionField } from './condition-field.tsx'
import { caseGroupsQuery, DEFAULT_GROUP } from './data.ts'
import { DurationField } from './duration-field.tsx'
import { messages } from './editor-messages.ts'
import {
  type GroupDraft,
  KEY_FIELDS,
  LATE_EVENTS,
  RELAPSES,
  SEVERITIES,
  XARF_CLASSES,
} from './group-draft.ts'
import { SeverityRules } from './severity-rules.tsx'

export interface GroupFormProps {
  readonly id: string | null
  readonly draft: GroupDraft
  readonly onChange: (draft: GroupDraft) => void
  /** Of the preview, or of saving. */
  readonly error: unknown
}

export function GroupForm({ id, draft, onChange, error }: GroupFormProps) {
  const t = useText(messages)
  const isDefault = id === DEFAULT_GROUP
  const set = (part: Partial<GroupDraft>): void => onChange({ ...draft, ...part })
  const fault = (path: string): ReactNode =>
    fieldProblem(error, path) ?? fieldProblem(error, `/case_group${path}`)
  return (
    <div className="rule-form">
      <TextInput
        label={t('name')}
        value={draft.name}
        maxLength={100}
        required
        error={fault('/name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('description')}
        value={draft.description}
        maxLength={1_000}
        autosize
        minRows={2}
        error={fault('/description')}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Section title={t('which_events')} help={isDefault ? t('default_takes_all') : undefined}>
        {!isDefault && (
          <>
            <ConditionField
              label={t('condition')}
              help={t('condition_help')}
              value={draft.condition}
              error={fault('/condition')}
              onChange={(condition) => set({ condition })}
            />
            <MultiSelect
              label={t('classes')}
              placeholder={draft.classes.length === 0 ? t('classes_all') : undefined}
              value={[...draft.classes]}
              data={XARF_CLASSES.map((value) => ({ value, label: t(`class_${value}`) }))}
              error={fault('/xarf_classes')}
              onChange={(values) =>
                set({ classes: XARF_CLASSES.filter((one) => values.includes(one)) })
              }
              clearable
            />
          </>
        )}
      </Section>
      {id === null && <Place draft={draft} set={set} />}
      <Section title={t('which_case')}>
        <KeyFields draft={draft} set={set} error={fault('/key_fields')} />
      </Section>
      <Section title={t('when_opened')}>
        <div className="rule-fields">
          <NumberInput
            label={t('threshold_events')}
            value={draft.events}
            min={1}
            max={1_000}
            allowDecimal={false}
            error={fault('/threshold/events') ?? fault('/threshold')}
            onChange={(value) => set({ events: readCount(value) })}
          />
          <NumberInput
            label={t('threshold_reporters')}
            value={draft.reporters}
            min={1}
            max={100}
            allowDecimal={false}
            error={fault('/threshold/reporters')}
            onChange={(value) => set({ reporters: readCount(value) })}
          />
          {(draft.events > 1 || draft.reporters > 1) && (
            <DurationField
              label={t('threshold_window')}
              seconds={draft.windowSeconds}
              error={fault('/threshold/window_seconds')}
              onChange={(windowSeconds) => set({ windowSeconds })}
            />
          )}
        </div>
      </Section>
      <Ends draft={draft} set={set} fault={fault} />
      <Follows draft={draft} set={set} fault={fault} />
    </div>
  )
}

function readCount(value: string | number): number {
  return typeof value === 'number' && value >= 1 ? Math.trunc(value) : 1
}

export function Section({
  title,
  help,
  children,
}: {
  readonly title: string
  readonly help?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <fieldset className="rule-section">
      <legend className="section-title">{title}</legend>
      {help !== undefined && <p className="dim">{help}</p>}
      {children}
    </fieldset>
  )
}

interface PartProps {
  readonly draft: GroupDraft
  readonly set: (part: Partial<GroupDraft>) => void
}

function KeyFields({ draft, set, error }: PartProps & { readonly error: ReactNode }) {
  const t = useText(messages)
  const { keyFields } = draft
  return (
    <Input.Wrapper labelElement="div" description={t('key_help')} error={error}>
      <div className="rule-checks">
        {KEY_FIELDS.map((field) => (
          <Checkbox
            key={field}
            label={t(`key_${field}`)}
            checked={keyFields.includes(field)}
            // A case needs something that its events have in common.
            disabled={keyFields.length === 1 && keyFields[0] === field}
            onChange={() =>
              set({
                keyFields: KEY_FIELDS.filter((one) =>
                  one === field ? !keyFields.includes(one) : keyFields.includes(one),
                ),
              })
            }
          />
        ))}
      </div>
    </Input.Wrapper>
  )
}

function Place({ draft, set }: PartProps) {
  const t = useText(messages)
  const groups = useQuery(caseGroupsQuery)
  const others = (groups.data?.items ?? []).filter(({ id }) => id !== DEFAULT_GROUP)
  return (
    <Select
      label={t('place')}
      description={t('place_help')}
      value={String(draft.place ?? others.length + 1)}
      data={[
        ...others.map(({ name }, index) => ({
          value: String(index + 1),
          label: t('place_before', { number: index + 1, name }),
        })),
        {
          value: String(others.length + 1),
          label: t('place_last', { number: others.length + 1 }),
        },
      ]}
      allowDeselect={false}
      onChange={(value) => set({ place: value === null ? null : Number(value) })}
    />
  )
}

type FaultProps = PartProps & { readonly fault: (path: string) => ReactNode }

function Ends({ draft, set, fault }: FaultProps) {
  const t = useText(messages)
  return (
    <Section title={t('when_next')}>
      <div className="rule-fields">
        <DurationField
          label={t('max_gap')}
          help={t('max_gap_help')}
          seconds={draft.maxGapSeconds}
          error={fault('/max_gap_seconds')}
          onChange={(maxGapSeconds) => set({ maxGapSeconds })}
        />
        <DurationField
          label={t('max_age')}
          help={t('max_age_help')}
          seconds={draft.maxAgeSeconds}
          error={fault('/max_age_seconds')}
          onChange={(maxAgeSeconds) => set({ maxAgeSeconds })}
        />
      </div>
      <div className="rule-fields">
        <Select
          label={t('relapse')}
          value={draft.relapse}
          data={RELAPSES.map((value) => ({ value, label: t(`relapse_${value}`) }))}
          allowDeselect={false}
          error={fault('/relapse')}
          onChange={(value) => {
            const relapse = RELAPSES.find((one) => one === value)
            if (relapse !== undefined) set({ relapse })
          }}
        />
        <DurationField
          label={t('relapse_window')}
          seconds={draft.relapseWindowSeconds}
          error={fault('/relapse_window_seconds')}
          onChange={(relapseWindowSeconds) => set({ relapseWindowSeconds })}
        />
        <Select
          label={t('late_event')}
          value={draft.lateEvent}
          data={LATE_EVENTS.map((value) => ({ value, label: t(`late_${value}`) }))}
          allowDeselect={false}
          error={fault('/late_event')}
          onChange={(value) => {
            const lateEvent = LATE_EVENTS.find((one) => one === value)
            if (lateEvent !== undefined) set({ lateEvent })
          }}
        />
      </div>
    </Section>
  )
}

function Follows({ draft, set, fault }: FaultProps) {
  const t = useText(messages)
  const mayAttach = useMay('playbooks:activate')
  const playbooks = useQuery({ ...playbooksQuery, enabled: useMay('playbooks:read') })
  const known = playbooks.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const isKnown = draft.playbookId === null || known.some(({ value }) => value === draft.playbookId)
  return (
    <Section title={t('what_follows')}>
      <div className="rule-fields">
        <Select
          label={t('severity')}
          value={draft.severity ?? ''}
          data={[
            { value: '', label: t('severity_none') },
            ...SEVERITIES.map((value) => ({ value, label: t(`severity_${value}`) })),
          ]}
          allowDeselect={false}
          error={fault('/severity')}
          onChange={(value) => set({ severity: SEVERITIES.find((one) => one === value) ?? null })}
        />
        <Select
          label={t('playbook')}
          description={mayAttach ? undefined : t('playbook_forbidden')}
          value={draft.playbookId ?? ''}
          data={[
            { value: '', label: t('playbook_none') },
            ...known,
            ...(isKnown ? [] : [{ value: draft.playbookId ?? '', label: draft.playbookId ?? '' }]),
          ]}
          allowDeselect={false}
          searchable={known.length > 10}
          disabled={!mayAttach}
          error={fault('/playbook_id')}
          onChange={(value) => set({ playbookId: value === '' ? null : value })}
        />
      </div>
      <SeverityRules
        rules={draft.severityRules}
        fault={fault}
        onChange={(severityRules) => set({ severityRules })}
      />
    </Section>
  )
}
