// The reason of a failure in a header, beside whatever body its group has (design section 10): the
// stable code, and the place that is wrong. The same for a foreign object as for a missing one,
// since both are refused by the same error.

import type { OperatingError } from '../operating-error.ts'
import type { Reply } from './route.ts'

export const PROBLEM_HEADER = 'casework-problem'

// Members of a body are as long as their sender likes; a proxy refuses headers of some kB.
const FIELD_LENGTH_MAX = 200

/** `CODE`, or `CODE; field=/items/0/ip`. ASCII: other characters of a field are percent-encoded. */
export function formatProblem({ code, fields }: Pick<OperatingError, 'code' | 'fields'>): string {
  const [first] = fields
  const field = first === undefined ? '' : shorten(encodeField(first.path))
  return field === '' ? code : `${code}; field=${field}`
}

/** The reply of a handler; one of 400 or more with `error` in its header. */
export function nameProblem(reply: Reply, error: OperatingError): Reply {
  if (reply.status < 400) return reply
  return { ...reply, headers: { ...reply.headers, [PROBLEM_HEADER]: formatProblem(error) } }
}

function encodeField(path: string): string {
  return path
    .toWellFormed()
    .replaceAll(/[^A-Za-z0-9/_.~-]+/gu, (text) =>
      encodeURIComponent(text).replaceAll(
        /[!'()*]/g,
        (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
}

/** The place itself, or the nearest one around it that is short enough. */
function shorten(path: string): string {
  let place = path
  while (place.length > FIELD_LENGTH_MAX) {
    place = place.slice(0, Math.max(0, place.lastIndexOf('/')))
  }
  return place
}
