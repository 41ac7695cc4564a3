// Names in the config of a node that stand for something of the tenant. The schema says so, so that
// an import can tell what is missing, and an editor can offer what is there.

import { Type } from 'typebox'

/** The keyword of a schema; its values are those of `nameOf`. */
export const REFERS_TO = 'x-refers-to'

/** A text with a description, and whatever else a schema of a text says. */
export function nameOf(
  kind: 'secret' | 'template' | 'playbook' | 'calendar',
  options: { readonly description: string; readonly pattern?: string; readonly maxLength?: number },
) {
  return Type.String({ ...options, [REFERS_TO]: kind })
}
