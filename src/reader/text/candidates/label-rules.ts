// Where a label of an address or a link stands, and the name of the rule that goes by it.

/** As the explanation says it. */
export type LabelRule = 'label' | 'heading' | 'head of its column'

export const LABEL_RULES: Readonly<Record<LabelRule, string>> = {
  label: 'label',
  heading: 'heading',
  'head of its column': 'column-head',
}
