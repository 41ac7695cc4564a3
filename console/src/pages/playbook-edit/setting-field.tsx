// One setting of a node as a field, by the shape that its JSON Schema has.

import {
  Button,
  Checkbox,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { CodeEditor } from '../../parts/code-editor.tsx'
import { ServerReasons } from '../../parts/server-reasons.tsx'
import { JsonField, readJson } from './json-field.tsx'
import { messages } from './messages.ts'
import { NodeWords } from './node-words.tsx'
import { asObject, type Field, readConstants, readFields, type Shape, sayName } from './schema.ts'

export interface SettingProps {
  readonly field: Field
  readonly value: unknown
  /** Undefined leaves the setting out. */
  readonly onChange: (value: unknown) => void
  /** What the server says of it and of what is below, by the place: `config/cases/0/path`. */
  readonly problemOf: (place: string) => string | undefined
  readonly place: string
  readonly completions: readonly { readonly label: string }[]
}

export function SettingField(props: SettingProps): ReactNode {
  const { shape } = props.field
  switch (shape.kind) {
    case 'boolean':
      return <Flag {...props} />
    case 'object':
      return <Group {...props} schema={shape.schema} />
    case 'objects':
      return <Items {...props} variants={shape.variants} />
    case 'value':
      return <ValueOrExpression {...props} constant={shape.constant} />
    case 'choice':
    case 'text':
    case 'condition':
    case 'template':
    case 'number':
    case 'duration':
    case 'texts':
    case 'json':
      return <Plain {...props} shape={shape} />
  }
}

type PlainShape = Exclude<Shape, { kind: 'boolean' | 'object' | 'objects' | 'value' }>

function labelsOf({ field, problemOf, place }: SettingProps) {
  const problem = problemOf(place)
  return {
    label: sayName(field.name),
    description: <NodeWords text={field.description} />,
    withAsterisk: field.isRequired,
    error: problem === undefined ? undefined : <ServerReasons reasons={[problem]} />,
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function Plain(props: SettingProps & { readonly shape: PlainShape }): ReactNode {
  const { value, onChange, shape } = props
  const labels = labelsOf(props)
  const set = (text: string): void => onChange(text === '' ? undefined : text)
  switch (shape.kind) {
    case 'choice':
      return (
        <Select
          {...labels}
          data={[...shape.choices]}
          value={textOf(value) || null}
          clearable={!props.field.isRequired}
          onChange={(next) => onChange(next ?? undefined)}
        />
      )
    case 'text':
      return shape.isLong ? (
        <Textarea
          {...labels}
          autosize
          minRows={2}
          value={textOf(value)}
          onChange={(event) => set(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          {...labels}
          value={textOf(value)}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
    case 'duration':
      return (
        <TextInput
          {...labels}
          placeholder="P1D"
          value={textOf(value)}
          onChange={(event) => onChange(readDuration(event.currentTarget.value))}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...labels}
          {...(shape.min === undefined ? {} : { min: shape.min })}
          {...(shape.max === undefined ? {} : { max: shape.max })}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      )
    case 'texts':
      return (
        <TagsInput
          {...labels}
          value={Array.isArray(value) ? value.map(textOf) : []}
          onChange={(next) => onChange(next.length === 0 ? undefined : next)}
        />
      )
    case 'condition':
    case 'template':
      return <Code {...props} />
    case 'json':
      return <JsonField {...labels} value={value} onChange={onChange} />
  }
}

/** Digits are seconds; `{"business": …}` may be typed as JSON. */
function readDuration(text: string): unknown {
  if (text === '') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  return text.startsWith('{') ? (readJson(text) ?? text) : text
}

function Code(props: SettingProps) {
  const { value, onChange, completions } = props
  const labels = labelsOf(props)
  return (
    <Input.Wrapper {...labels} labelElement="div">
      <CodeEditor
        label={labels.label}
        value={textOf(value)}
        onChange={(text) => onChange(text === '' ? undefined : text)}
        completions={completions}
      />
    </Input.Wrapper>
  )
}

function Flag(props: SettingProps) {
  const { label, description, error } = labelsOf(props)
  return (
    <Checkbox
      label={label}
      description={description}
      error={error}
      checked={props.value === true}
      onChange={(event) => props.onChange(event.currentTarget.checked || undefined)}
    />
  )
}

function ValueOrExpression(props: SettingProps & { readonly constant: Shape }) {
  const t = useText(messages)
  const { field, value, onChange, place, constant } = props
  const isExpression = Object.keys(asObject(value)).join() === 'cel'
  const [isWanted, setIsWanted] = useState(isExpression)
  // What is set says what it is, also after Undo; the choice is for a setting that is empty.
  const isChosen = value === undefined ? isWanted : isExpression
  const label = sayName(field.name)
  return (
    <div className="setting-value">
      <SegmentedControl
        className="setting-switch"
        size="xs"
        aria-label={t('value_or_expression', { name: label })}
        value={isChosen ? 'cel' : 'constant'}
        onChange={(next) => {
          setIsWanted(next === 'cel')
          onChange(undefined)
        }}
        data={[
          { value: 'constant', label: t('constant') },
          { value: 'cel', label: t('expression') },
        ]}
      />
      {isChosen ? (
        <Code
          {...props}
          place={`${place}/cel`}
          value={asObject(value)['cel']}
          onChange={(text) => {
            setIsWanted(true)
            onChange(text === undefined ? undefined : { cel: text })
          }}
        />
      ) : (
        <SettingField
          {...props}
          field={{ ...field, shape: constant }}
          onChange={(next) => {
            setIsWanted(false)
            onChange(next)
          }}
        />
      )}
    </div>
  )
}

function Group({
  schema,
  ...props
}: SettingProps & { readonly schema: Readonly<Record<string, unknown>> }) {
  const { label, description, error } = labelsOf(props)
  // Without a member left the setting as a whole is left out: an empty object would be a fault.
  const set = (next: unknown): void =>
    props.onChange(Object.keys(asObject(next)).length === 0 ? undefined : next)
  return (
    <fieldset className="setting-group">
      <legend>{label}</legend>
      {props.field.description !== '' && <div className="dim small">{description}</div>}
      {error !== undefined && <div className="setting-error">{error}</div>}
      <Fields {...props} schema={schema} given={asObject(props.value)} onChange={set} />
    </fieldset>
  )
}

interface FieldsProps extends Omit<SettingProps, 'field' | 'value'> {
  readonly schema: Readonly<Record<string, unknown>>
  readonly given: Readonly<Record<string, unknown>>
}

function Fields({ schema, given, onChange, place, ...others }: FieldsProps) {
  const constants = readConstants(schema)
  return readFields(schema)
    .filter(({ name }) => constants[name] === undefined)
    .map((field) => (
      <SettingField
        key={field.name}
        {...others}
        field={field}
        place={`${place}/${field.name}`}
        value={given[field.name]}
        onChange={(value) => onChange(withMember({ ...constants, ...given }, field.name, value))}
      />
    ))
}

/** The object with this member; without it for undefined. */
export function withMember(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const { [name]: _former, ...others } = object
  return value === undefined ? others : { ...object, [name]: value }
}

/** A list of objects, such as the cases of a switch. */
function Items({
  variants,
  ...props
}: SettingProps & { readonly variants: readonly Readonly<Record<string, unknown>>[] }) {
  const t = useText(messages)
  const { value, onChange, place, field: _field, ...others } = props
  const { label, description, error } = labelsOf(props)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const set = (next: readonly unknown[]): void => onChange(next.length === 0 ? undefined : next)
  return (
    <fieldset className="setting-group">
      <legend>{label}</legend>
      {props.field.description !== '' && <div className="dim small">{description}</div>}
      {error !== undefined && <div className="setting-error">{error}</div>}
      {items.map((item, at) => {
        const given = asObject(item)
        const schema = variants.find((one) => fits(one, given)) ?? variants[0] ?? {}
        const constants = Object.values(readConstants(schema)).join(', ')
        const name = constants === '' ? `${label} ${at + 1}` : constants
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the place is what tells them apart
          <fieldset key={at} className="setting-item">
            <legend>{name}</legend>
            <Fields
              {...others}
              schema={schema}
              given={given}
              place={`${place}/${at}`}
              onChange={(next) => set(items.with(at, next))}
            />
            <Button
              variant="subtle"
              color="gray"
              leftSection={<Trash2 size={14} aria-hidden />}
              aria-label={t('remove_item', { name })}
              onClick={() => set(items.toSpliced(at, 1))}
            >
              {t('remove')}
            </Button>
          </fieldset>
        )
      })}
      <div className="row-of" style={{ flexWrap: 'wrap' }}>
        {variants.map((schema) => {
          const constants = readConstants(schema)
          const name = Object.values(constants).join(', ')
          return (
            <Button
              key={name}
              variant="default"
              leftSection={<Plus size={14} aria-hidden />}
              aria-label={t('add_item', { name: name === '' ? label : name })}
              onClick={() => set([...items, constants])}
            >
              {name === '' ? t('add') : name}
            </Button>
          )
        })}
      </div>
    </fieldset>
  )
}

function fits(
  schema: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): boolean {
  const constants = Object.entries(readConstants(schema))
  return constants.length > 0 && constants.every(([name, value]) => given[name] === value)
}
