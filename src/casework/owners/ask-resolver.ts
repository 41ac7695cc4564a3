// Sends questions to a tenant's resolver through the guarded client: one POST for many targets. No
// redirect is followed; time and size have a limit.

import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import { mayUsePlainHttp } from '../../kernel/outbound/check-target.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { explainToTenant } from '../../kernel/outbound/outbound-outcome.ts'
import {
  type OwnerQuestion,
  presentQuestions,
  type ReadAnswers,
  readAnswers,
} from './owner-question.ts'
import type { OwnerResolverSettings } from './owner-resolver-store.ts'

export type ResolverReply =
  | ({ readonly kind: 'answered' } & ReadAnswers)
  /** The failure as one public sentence. */
  | { readonly kind: 'failed'; readonly sentence: string }

/** As many as a bulk push has events. */
export const QUESTIONS_MAX = 1_000
// 1,000 answers with the longest ids are 1.2 MB; usual ones are 150 kB.
const ANSWER_BYTES_MAX = 2_097_152

/** Headers of every request; the header of the settings cannot be one of them. */
export const OWN_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json',
} as const

/** Never rejects because of the resolver: every failure of it is a `failed` reply. */
export async function askResolver(
  { outbound, allow }: { readonly outbound: Outbound; readonly allow: AllowList },
  settings: OwnerResolverSettings,
  questions: readonly OwnerQuestion[],
): Promise<ResolverReply> {
  const { url, headerName, headerValue, timeoutMs } = settings
  const outcome = await outbound.request({
    method: 'POST',
    url,
    headers: {
      ...OWN_HEADERS,
      ...(headerName === null || headerValue === null ? {} : { [headerName]: headerValue }),
    },
    body: presentQuestions(questions),
    purpose: 'owner-resolver',
    timeoutMs,
    maxBytes: ANSWER_BYTES_MAX,
    // The secret goes to the origin of the settings only.
    redirectsMax: 0,
    allowHttp: mayUsePlainHttp(url, allow),
  })
  if (outcome.kind !== 'answer') return { kind: 'failed', sentence: explainToTenant(outcome) }
  if (outcome.status !== 200) {
    return { kind: 'failed', sentence: `It answered with status ${outcome.status}, not 200.` }
  }
  const read = readAnswers(outcome.body.toString('utf8'), questions)
  return read === null
    ? { kind: 'failed', sentence: 'Its answer is not {"answers": […]} with one entry a question.' }
    : { kind: 'answered', ...read }
}
