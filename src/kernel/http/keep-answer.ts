// The header Idempotency-Key for routes that create something: the key, the act and its answer are
// committed together, so a repeat within 24 hours does nothing and gets the same answer.

import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type Db, inSharedTransaction, type Tx } from '../db/database.ts'
import {
  changeSealedAnswers,
  type KeptAnswer,
  keepAnswer,
  takeAnswerKey,
} from '../db/idempotency-store.ts'
import { idempotencyKeyReused } from '../errors.ts'
import type { SecretCipher } from '../secrets/secret-cipher.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'
import type { Reply, RequestContext, Route } from './route.ts'

type Context = RequestContext<unknown, unknown, unknown>

/** Answers as the route does, or as it did to the first request with this key. */
export type AnswerKeeper = (
  route: Pick<Route, 'operationId' | 'idempotency'>,
  context: Context,
  handle: () => Promise<Reply>,
) => Promise<Reply>

/** Marks an answer that was given before. */
const REPLAY_HEADERS = { 'idempotent-replayed': 'true' } as const

/** Throws `idempotencyKeyNotValid`, or `idempotencyKeyReused` for a key of another request. */
export function createAnswerKeeper(db: Db, secrets: SecretCipher): AnswerKeeper {
  return async (route, context, handle) => {
    const { caller } = context
    const isKept = route.idempotency === 'kept' || route.idempotency === 'sealed'
    const key = isKept ? readIdempotencyKey(context.headers) : null
    if (key === null || caller === null) return await handle()
    const answerKey = {
      tokenId: caller.tokenId,
      operation: route.operationId,
      key,
      requestHash: hashRequest(context),
    }
    const scope = { tenantId: caller.tenantId }
    const place = namePlace({ ...scope, ...answerKey })
    return await inSharedTransaction(db, async (tx) => {
      const taken = await takeAnswerKey(tx, scope, answerKey)
      if (taken.kind === 'other') throw idempotencyKeyReused()
      if (taken.kind === 'answered') return readKept(secrets, place, taken.answer)
      const reply = await handle()
      const { status, json, headers } = reply
      const answer = { status, json, headers }
      const isSecret = route.idempotency === 'sealed'
      const kept = isSecret ? seal(secrets, place, answer) : { answer }
      await keepAnswer(tx, scope, answerKey, kept)
      return reply
    })
  }
}

function hashRequest({ params, query, body }: Context): string {
  return createHash('sha256')
    .update(JSON.stringify([params, query, body]))
    .digest('hex')
}

type AnswerPlace = Omit<KeptAnswer, 'answer'>

const namePlace = ({ tenantId, tokenId, operation, key }: AnswerPlace): string =>
  JSON.stringify(['kept_answer', tenantId, tokenId, operation, key])

const Answer = Type.Object({
  status: Type.Integer(),
  json: Type.Optional(Type.Unknown()),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
})
const Sealed = Type.Object({ key_id: Type.String(), sealed: Type.String() })
const Kept = Type.Union([Type.Object({ answer: Answer }), Sealed])

function seal(secrets: SecretCipher, place: string, answer: unknown): unknown {
  const { keyId, sealed } = secrets.seal(place, JSON.stringify(answer))
  return { key_id: keyId, sealed: sealed.toString('base64') }
}

function readKept(secrets: SecretCipher, place: string, stored: unknown): Reply {
  const kept = Value.Parse(Kept, stored)
  const answer = 'answer' in kept ? kept.answer : unseal(secrets, place, kept)
  const { headers = {}, ...rest } = answer
  return { ...rest, headers: { ...headers, ...REPLAY_HEADERS } }
}

function unseal(
  secrets: SecretCipher,
  place: string,
  { key_id: keyId, sealed }: Static<typeof Sealed>,
): Static<typeof Answer> {
  const text = secrets.open(place, { keyId, sealed: Buffer.from(sealed, 'base64') })
  return Value.Parse(Answer, JSON.parse(text))
}

// Of each tenant in one transaction.
const SEALED_AT_ONCE = 500

/**
 * Seals kept answers with the first key of `cipher`. `isMore`: call it again. One whose key is not
 * here stays, and its repeats are refused until it is a day old.
 */
export async function sealAnswersAgain(
  tx: Tx,
  cipher: SecretCipher,
): Promise<{ readonly isMore: boolean }> {
  const former = cipher.keyIds.slice(1)
  return await changeSealedAnswers(tx, former, SEALED_AT_ONCE, (kept) => {
    const place = namePlace(kept)
    return seal(cipher, place, unseal(cipher, place, Value.Parse(Sealed, kept.answer)))
  })
}
