// GET /beta/snapshot (design section 1, row 6): the snapshot of this node as the bytes of its file,
// for a node that starts and would else read all tables. It holds facts about items and the names
// of their sources: no token, and nothing of a tenant.

import { Readable } from 'node:stream'
import { matchesEtag } from '../../kernel/http/answer-unchanged.ts'
import { readAskedPart } from '../../kernel/http/byte-range.ts'
import { defineRoute, type Reply, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope } from '../../vocabulary/envelope-wire.ts'
import { snapshotRangeBeyond } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { type SealedBinary, sealBinary } from '../snapshot/binary-file.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

const CONTENT_TYPE = 'application/octet-stream'

export function getSnapshotRoute({ index }: { readonly index: IntelIndex }): Route {
  const seal = createSealer()
  return defineRoute({
    method: 'GET',
    path: '/beta/snapshot',
    group: 'intel',
    access: { kind: 'scope', scope: 'instance:admin', letsNodesIn: true },
    operationId: 'getSnapshot',
    summary: 'Download the snapshot of the intel set',
    description:
      'For another node of the instance, which sends CASEWORK_NODE_SECRET as its bearer token. X-Casework-Serial is the serial of the change log up to which the snapshot holds all changes. A download that broke off is resumed by Range with the ETag in If-Range; a snapshot that was replaced meanwhile is sent from its start.',
    responses: {
      200: { description: 'The snapshot.', contentType: CONTENT_TYPE },
      206: { description: 'The part that Range names.', contentType: CONTENT_TYPE },
      304: { description: 'The snapshot that If-None-Match names is still the newest.' },
      416: { description: 'The snapshot is shorter than that.', schema: FailureEnvelope },
    },
    async handle({ headers }) {
      const snapshot = index.snapshot()
      const sealed = await seal(snapshot)
      const etag = `"${snapshot.serial}-${sealed.checksum.toString(16)}"`
      const common = {
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
        etag,
        'x-casework-serial': String(snapshot.serial),
      }
      if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: common }
      const { byteLength } = sealed
      const asked = readAskedPart(headers, etag, byteLength)
      switch (asked.kind) {
        case 'whole':
          return send(sealed, { status: 200, headers: common }, 0, byteLength)
        case 'part': {
          const range = `bytes ${asked.first}-${asked.last}/${byteLength}`
          const answer = { status: 206, headers: { ...common, 'content-range': range } }
          return send(sealed, answer, asked.first, asked.last + 1)
        }
        case 'beyond':
          throw snapshotRangeBeyond(byteLength)
      }
    },
  })
}

function send(
  sealed: SealedBinary,
  { status, headers }: Pick<Reply, 'status' | 'headers'>,
  first: number,
  end: number,
): Reply {
  return {
    status,
    headers: { ...headers, 'content-length': String(end - first) },
    contentType: CONTENT_TYPE,
    // A client that reads slowly makes the stream wait; it holds nothing but the shared snapshot.
    stream: Readable.from(sealed.slice(first, end), { objectMode: false }),
  }
}

/** Makes the checksum of each snapshot once, whoever asks for it. */
function createSealer(): (snapshot: Snapshot) => Promise<SealedBinary> {
  const known = new WeakMap<SharedArrayBuffer, Promise<SealedBinary>>()
  return ({ buffer }) => {
    const sealed = known.get(buffer) ?? sealBinary(buffer)
    known.set(buffer, sealed)
    return sealed
  }
}
