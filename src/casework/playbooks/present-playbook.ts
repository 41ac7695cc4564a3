// Playbooks, versions, runs and what a case waits for, as the wire shows them (design sections 9
// and 10).

import type { WaitingNode } from './list-waiting-nodes.ts'
import type { PlaybookRecord, VersionRecord, VersionWithGraph } from './playbook-store.ts'
import type { RunRecord, VisitRecord } from './run-store.ts'

export function presentPlaybook(playbook: PlaybookRecord): object {
  return {
    id: playbook.id,
    name: playbook.name,
    ...(playbook.activeVersion === null ? {} : { active_version: playbook.activeVersion }),
    latest_version: playbook.latestVersion,
    created_at: playbook.createdAt.toISOString(),
  }
}

export function presentVersion(version: VersionRecord): object {
  return {
    version: version.version,
    state: version.state,
    created_at: version.createdAt.toISOString(),
    ...(version.activatedAt === null ? {} : { activated_at: version.activatedAt.toISOString() }),
  }
}

/** The nodes as they were sent; the names of members may come in another order. */
export function presentVersionDetail(version: VersionWithGraph): object {
  return { id: version.playbookId, ...presentVersion(version), ...version.graph }
}

export function presentWaitingNode(waiting: WaitingNode): object {
  return {
    run_id: waiting.runId,
    playbook_id: waiting.playbookId,
    version: waiting.version,
    node: waiting.node,
    paths: waiting.paths,
    since: waiting.since.toISOString(),
  }
}

export function presentRun(run: RunRecord): object {
  return {
    run_id: run.runId,
    playbook_id: run.playbookId,
    version: run.version,
    state: run.state,
    ...(run.node === null ? {} : { node: run.node }),
    ...(run.failure === null ? {} : { failure: run.failure }),
    started_at: run.startedAt.toISOString(),
    ...(run.endedAt === null ? {} : { ended_at: run.endedAt.toISOString() }),
  }
}

export function presentVisit(visit: VisitRecord): object {
  return {
    visit: visit.visit,
    node: visit.node,
    kind: visit.kind,
    ...(visit.path === null ? {} : { path: visit.path }),
    ...(visit.actor === null ? {} : { actor: visit.actor }),
    ...(visit.output === null ? {} : { output: visit.output }),
    entered_at: visit.enteredAt.toISOString(),
    left_at: visit.leftAt.toISOString(),
  }
}
