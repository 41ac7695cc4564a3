import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findPackageRoot } from '../../values/resources.ts'
import {
  CASE_STATES,
  type CaseState,
  CLOSE_REASONS,
  decideMove,
  isCaseState,
  isCloseReason,
  isOpenState,
  isResolution,
  NEXT_STATES,
  RESOLUTIONS,
} from './case-state.ts'

const COMPLETE = { resolution: 'fixed', closeReason: 'not_ours', isMerged: false } as const

test('every pair of states moves, stays or is illegal exactly as the table says', () => {
  for (const from of CASE_STATES) {
    for (const to of CASE_STATES) {
      const next: readonly CaseState[] = NEXT_STATES[from]
      const move = next.includes(to) ? 'move' : 'illegal'
      const expected = from === to ? 'unchanged' : move
      assert.equal(decideMove(from, to, COMPLETE).kind, expected, `${from} to ${to}`)
    }
  }
})

test('NEW is never reached again by any chain of moves', () => {
  const moves = fc.array(fc.constantFrom(...CASE_STATES), { maxLength: 30 })
  fc.assert(
    fc.property(moves, fc.boolean(), (targets, isMerged) => {
      let state: CaseState = 'NEW'
      let hasLeftNew = false
      for (const target of targets) {
        const decision = decideMove(state, target, { ...COMPLETE, isMerged })
        if (decision.kind === 'move') {
          state = decision.to
          hasLeftNew = true
        }
        if (hasLeftNew) assert.notEqual(state, 'NEW')
      }
    }),
  )
})

test('a slot is held exactly while the case is open, over any chain of moves', () => {
  const moves = fc.array(fc.constantFrom(...CASE_STATES), { maxLength: 30 })
  fc.assert(
    fc.property(moves, (targets) => {
      let state: CaseState = 'NEW'
      let holdsSlot = true
      for (const target of targets) {
        const decision = decideMove(state, target, COMPLETE)
        if (decision.kind !== 'move') continue
        state = decision.to
        if (decision.key === 'claim') {
          assert.equal(holdsSlot, false)
          holdsSlot = true
        }
        if (decision.key === 'release') {
          assert.equal(holdsSlot, true)
          holdsSlot = false
        }
        assert.equal(holdsSlot, isOpenState(state))
        assert.equal(decision.isReopening, decision.key === 'claim')
      }
    }),
  )
})

test('a move to RESOLVED without a resolution is incomplete', () => {
  assert.deepEqual(decideMove('NEW', 'RESOLVED', { isMerged: false }), {
    kind: 'incomplete',
    missing: 'resolution',
  })
})

test('a move to CLOSED without a reason is incomplete', () => {
  assert.deepEqual(decideMove('RESOLVED', 'CLOSED', { resolution: 'fixed', isMerged: false }), {
    kind: 'incomplete',
    missing: 'close_reason',
  })
})

test('a merged case comes back by no move', () => {
  for (const target of ['IN_PROGRESS', 'RESOLVED'] as const) {
    assert.deepEqual(decideMove('CLOSED', target, { ...COMPLETE, isMerged: true }), {
      kind: 'illegal',
      reason: 'case_is_merged',
    })
  }
})

test('RESOLVED settles the events dated until then, CLOSED none, a false positive all', () => {
  const resolved = decideMove('IN_PROGRESS', 'RESOLVED', COMPLETE)
  assert.ok(resolved.kind === 'move')
  assert.equal(resolved.resolvesEvents, 'dated_until_move')
  assert.equal(resolved.closeReason, null)
  for (const closeReason of CLOSE_REASONS) {
    const closed = decideMove('IN_PROGRESS', 'CLOSED', { closeReason, isMerged: false })
    assert.ok(closed.kind === 'move')
    assert.equal(closed.resolution, null)
    assert.equal(closed.resolvesEvents, closeReason === 'false_positive' ? 'all' : 'none')
  }
  const reopened = decideMove('RESOLVED', 'IN_PROGRESS', COMPLETE)
  assert.ok(reopened.kind === 'move')
  assert.equal(reopened.resolvesEvents, 'none')
  assert.equal(reopened.isReopening, true)
})

test('the guards know their own words and no others', () => {
  assert.ok(CASE_STATES.every(isCaseState))
  assert.ok(RESOLUTIONS.every(isResolution))
  assert.ok(CLOSE_REASONS.every(isCloseReason))
  for (const text of ['', 'new', 'OPEN', 'constructor', '__proto__']) {
    assert.equal(isCaseState(text) || isResolution(text) || isCloseReason(text), false, text)
  }
})

test('the guide on working a case names every move, resolution and close reason that callers have', () => {
  const guide = readFileSync(join(findPackageRoot(), 'docs/guides/work-a-case.md'), 'utf8')
  for (const [from, next] of Object.entries(NEXT_STATES)) {
    const states = next.map((state) => `\`${state}\``).join(', ')
    assert.ok(guide.includes(`| \`${from}\` | ${states} |`), from)
  }
  for (const word of [...RESOLUTIONS, ...CLOSE_REASONS.filter((reason) => reason !== 'merged')]) {
    assert.ok(guide.includes(`\n| \`${word}\` |`), word)
  }
})
