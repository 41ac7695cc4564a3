import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLUSTER_ACCOUNT, findNamedUid } from './account.ts'
import { chooseInitAccount, explainSpawnTrouble } from './init-cluster.ts'

test('initdb runs under "nobody" in the group of the cluster', () => {
  const passwd =
    'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\nann:x:1000:1000::/:\n'
  assert.deepEqual(chooseInitAccount(CLUSTER_ACCOUNT, passwd), {
    uid: 65_534,
    gid: CLUSTER_ACCOUNT.gid,
  })
  assert.equal(findNamedUid('root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/:\n'), 1000)
})

test('a machine without any account but root is refused with the way out', () => {
  for (const passwd of ['', 'root:x:0:0::/root:/bin/sh\n', 'garbage\n:::\n']) {
    assert.throws(
      () => chooseInitAccount(CLUSTER_ACCOUNT, passwd),
      /POSTGRES_ACCOUNT_MISSING.*\/etc\/passwd.*DATABASE_URL/,
    )
  }
})

test('a root that may not change accounts is told to start as an ordinary user', () => {
  const trouble = Object.assign(new Error('spawn EPERM'), { code: 'EPERM', syscall: 'spawn' })
  assert.match(
    explainSpawnTrouble(trouble, CLUSTER_ACCOUNT).message,
    /POSTGRES_ACCOUNT_NOT_USABLE.*ordinary user.*DATABASE_URL/,
  )
  assert.match(explainSpawnTrouble(trouble, null).message, /POSTGRES_SETUP_FAILED.*EPERM/)
})
