// The acts that the audit log knows: a closed list, so that a filter can name each and a misspelt
// one does not compile. The part before the dot is the kind of the object.

const AUDIT_ACTS = [
  'audit.forget',
  'backup.create',
  'backup.restore',
  'calendar.delete',
  'calendar.set',
  'case_group.change',
  'case_group.create',
  'case_group.delete',
  'contract.change',
  'contract.create',
  'contract.delete',
  'contract.import',
  'customer.change',
  'customer.create',
  'customer.delete',
  'customer.import',
  'erasure.create',
  'legal_hold.lift',
  'legal_hold.place',
  'mitigation_adapter.delete',
  'mitigation_adapter.set',
  'mute_rule.create',
  'mute_rule.end',
  'notice_limits.set',
  'owner_resolver.delete',
  'owner_resolver.set',
  'playbook.create',
  'playbook.delete',
  'playbook.rename',
  'playbook.retire',
  'playbook_version.activate',
  'playbook_version.create',
  'playbook_version.delete',
  'privacy_export.create',
  'report.download',
  'report_address.delete',
  'report_address.set',
  'resource.change',
  'resource.create',
  'resource.delete',
  'resource.import',
  'role.change',
  'role.create',
  'role.delete',
  'secret.delete',
  'secret.set',
  'secret_key.change',
  'service_account.change',
  'service_account.create',
  'service_account.delete',
  'sighting_rule.change',
  'sighting_rule.delete',
  'sighting_rule.set',
  'source.delete',
  'source.set',
  'source_entry.delete',
  'suppressed_address.delete',
  'suppressed_address.set',
  'tag.delete',
  'tag.set',
  'template.delete',
  'template.set',
  'tenant.change',
  'tenant.create',
  'token.create',
  'token.replace',
  'token.revoke',
  'token.rotate',
  'trusted_reporter.delete',
  'trusted_reporter.set',
  'view.change',
  'view.create',
  'view.delete',
  'webhook.change',
  'webhook.create',
  'webhook.delete',
  'webhook.rotate_secret',
] as const

export type AuditAct = (typeof AUDIT_ACTS)[number]

/** Their ids are addresses of people, so the chain has a digest of them. */
const PERSONAL_OBJECTS: ReadonlySet<string> = new Set([
  'report_address',
  'suppressed_address',
  'trusted_reporter',
])

export function readObjectKind(act: string): string {
  return act.slice(0, act.indexOf('.'))
}

/** Whether the id of an object may name a person: by its kind, or by how it looks. */
export function namesPerson(objectKind: string, id: string): boolean {
  return PERSONAL_OBJECTS.has(objectKind) || id.includes('@')
}
