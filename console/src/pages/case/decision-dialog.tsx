// The form of a way out: what the playbook must know to take it. The second of four eyes begins with
// what the first one wrote.

import {
  Button,
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { Schemas } from 'casework/client'
import { type FormEvent, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { DialogActs, DialogFrame } from '../cases/shared/act-dialog.tsx'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import { titleOf, useChoosePath } from '../cases/shared/trigger-choices.tsx'
import type { Waiting } from './data.ts'

type Field = Schemas['FormField']
type Value = string | number | boolean | readonly string[]

export interface DecisionDialogProps {
  readonly caseId: string
  readonly node: Waiting
  readonly path: string
  readonly onClose: () => void
  readonly onDone?: () => void
}

export function DecisionDialog({ caseId, node, path, onClose, onDone }: DecisionDialogProps) {
  const ts = useText(sharedMessages)
  const fields = (node.form ?? []).filter(
    ({ required_for: paths }) => paths.length === 0 || paths.includes(path),
  )
  const former = node.first_decision?.path === path ? node.first_decision.form : {}
  const [values, setValues] = useState<Readonly<Record<string, Value>>>(() => ({
    // A box that nobody ticks is the answer "no".
    ...Object.fromEntries(
      fields
        .filter(({ type, required_for: paths }) => type === 'boolean' && paths.includes(path))
        .map(({ name }) => [name, false]),
    ),
    ...readValues(former),
  }))
  const choose = useChoosePath(caseId, () => {
    onClose()
    onDone?.()
  })
  const isMissing = fields.some(
    ({ name, required_for: paths }) => paths.includes(path) && isEmpty(values[name]),
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const form = Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)))
    choose.mutate({ node, path, form })
  }
  return (
    <DialogFrame title={titleOf(node, path)} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {node.question !== undefined && <div className="dim">{node.question}</div>}
        {node.first_decision !== undefined && (
          <div className="dim">
            {ts('first_choice', { path: titleOf(node, node.first_decision.path) })}
          </div>
        )}
        {fields.map((field, index) => (
          <FieldInput
            key={field.name}
            field={field}
            isRequired={field.required_for.includes(path)}
            isFirst={index === 0}
            value={values[field.name]}
            onChange={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
          />
        ))}
        <FormProblem error={choose.error} />
        <DialogActs onClose={onClose}>
          <Button type="submit" disabled={isMissing} loading={choose.isPending}>
            {titleOf(node, path)}
          </Button>
        </DialogActs>
      </form>
    </DialogFrame>
  )
}

interface FieldInputProps {
  readonly field: Field
  readonly isRequired: boolean
  readonly isFirst: boolean
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
}

function FieldInput({ field, isRequired, isFirst, value, onChange }: FieldInputProps) {
  const { label, type, options = [] } = field
  const shared = {
    label,
    required: isRequired,
    withAsterisk: isRequired,
    ...(isFirst ? { 'data-autofocus': true } : {}),
  }
  const text = typeof value === 'string' ? value : ''
  switch (type) {
    case 'boolean':
      return (
        <Checkbox
          label={label}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : '')}
        />
      )
    case 'date':
      return (
        <TextInput
          {...shared}
          type="date"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'choice':
      return (
        <Select
          {...shared}
          data={options.map((one) => ({ value: one.value, label: one.label }))}
          value={text === '' ? null : text}
          onChange={(next) => onChange(next ?? '')}
        />
      )
    case 'choices':
      return (
        <MultiSelect
          {...shared}
          data={options.map((one) => ({ value: one.value, label: one.label }))}
          value={Array.isArray(value) ? [...value] : []}
          onChange={onChange}
        />
      )
    default:
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}

function isEmpty(value: Value | undefined): boolean {
  if (value === undefined || value === '') return true
  return Array.isArray(value) && value.length === 0
}

function readValues(form: Readonly<Record<string, unknown>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(form).filter((pair): pair is [string, Value] => isValue(pair[1])),
  )
}

function isValue(value: unknown): value is Value {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string')
  return ['string', 'number', 'boolean'].includes(typeof value)
}
