// The icon of a kind of nodes.

import { createElement } from 'react'
import { iconOf } from './kind-groups.ts'

export function KindIcon({ kind, size = 16 }: { readonly kind: string; readonly size?: number }) {
  return createElement(iconOf(kind), { size, 'aria-hidden': true })
}
