// Who may call which operation. The table is written by hand, so that a wrong scope of a route
// shows as a difference. src/app/access-matrix.test.ts sends a request for every cell, and fails
// for an operation without a row.

/** The roles of the matrix, from the least to the most; each is a principal of it. */
export const MATRIX_ROLES = [
  'viewer',
  'agent',
  'lead',
  'ingest',
  'tenant-admin',
  'instance-admin',
] as const

export type MatrixRole = (typeof MATRIX_ROLES)[number]

interface AccessRow {
  readonly who: 'anybody' | readonly MatrixRole[]
  /** For look-ups, which need no credential while they are open; one that is sent must be good. */
  readonly isOpen?: true
  readonly operations: readonly string[]
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const READERS = ['viewer', 'agent', 'lead', 'tenant-admin', 'instance-admin'] as const
const AGENTS = ['agent', 'lead', 'tenant-admin', 'instance-admin'] as const
const LEADS = ['lead', 'tenant-admin', 'instance-admin'] as const
const TENANT_ADMINS = ['tenant-admin', 'instance-admin'] as const

export const ACCESS_TABLE: readonly AccessRow[] = [
  {
    who: 'anybody',
    operations: words(`
      getPlaybookDocumentSchema getLivez getReadyz getReadyzWrite getMetrics getOpenapi getDocs
      getDocsScript getDocsStart signIn checkLink redeemLink startDeviceLogin getDeviceToken
      getSignInWays askForPassword startProviderSignIn acceptByProvider finishProviderSignIn useSecondFactor
      beginSecondFactor beginPasskeySignIn signInByPasskey`),
  },
  {
    who: READERS,
    isOpen: true,
    operations: words('quickCheck lookupItem getTag listTags explainItem'),
  },
  {
    // The operations on sessions answer 404 to a token, which has no session.
    who: MATRIX_ROLES,
    operations: words(`
      getWhoami revokeOwnToken checkDeviceLogin decideDeviceLogin linkProvider listIdentities
      unlinkIdentity getSession changeSession endSession listSessions revokeSession
      getFactors changePassword proveSession enrolTotp confirmTotp removeTotp makeRecoveryCodes
      beginPasskey addPasskey renamePasskey removePasskey`),
  },
  {
    who: READERS,
    operations: words(`
      getRange getRangeBySegments countSightings listTagged listSightingRules getSightingRule
      listChanges listEntries listSources getSource getSourceHistory listKnownInNetworks`),
  },
  {
    who: READERS,
    operations: words(`
      listCases countCases getCase listComments listCaseHistory getCaseIntel listTimeline openStream
      listEvents getEvent getOpsEvent listReports getReport listReportEvents listCaseReports
      searchRecords getStats listViews createView getView changeView deleteView
      listCustomers getCustomer listContracts getContract listResources getResource
      getCustomerCounters listAssignees`),
  },
  {
    who: READERS,
    operations: words(`
      testCaseGroups tryRules listCaseGroups getCaseGroup listCaseGroupHistory
      listMuteRules getMuteRule listMuteRuleHistory listSecrets
      listTemplates getTemplate previewTemplate listCaseNotices listNotices getNotice
      getNoticeLimits listSuppressedAddresses
      listCaseMitigations listMitigations getMitigation listMitigationAdapters
      getMitigationAdapter`),
  },
  {
    who: READERS,
    operations: words(`
      listCaseTriggers listCaseRuns getCaseRun listRuns getRun validatePlaybook listNodeKinds
      listPlaybooks getPlaybook getPlaybookVersion exportPlaybook listPlaybookTemplates
      getPlaybookTemplate listCalendars getCalendar`),
  },
  {
    who: AGENTS,
    operations: words(`
      triggerPlaybook addDecision createCaseRun cancelRun pauseRun resumeRun
      changeCase changeCases undoBulkChange addComment sendNotice resendNotice cancelNotice
      correctReport replayEvents reassignEvent`),
  },
  {
    who: LEADS,
    operations: words(`
      getRawReport getReportReading getRegressionCase takeReportAsAnswer mergeCases unmergeCases splitCase
      createCustomer importCustomers changeCustomer deleteCustomer
      createContract importContracts changeContract deleteContract
      createResource importResources changeResource deleteResource
      putSuppressedAddress deleteSuppressedAddress
      createMitigation executeMitigation undoMitigation confirmMitigation`),
  },
  {
    who: ['agent', 'lead', 'ingest', 'tenant-admin', 'instance-admin'],
    operations: ['pushReport', 'replayReport', 'pushEvents'],
  },
  {
    who: TENANT_ADMINS,
    operations: words(`
      listTrustedReporters putTrustedReporter deleteTrustedReporter
      createCaseGroup changeCaseGroup deleteCaseGroup createMuteRule endMuteRule
      putSecret deleteSecret getOwnerResolver putOwnerResolver deleteOwnerResolver
      putTemplate deleteTemplate putNoticeLimits putMitigationAdapter deleteMitigationAdapter
      listWebhooks createWebhook getWebhook changeWebhook deleteWebhook rotateWebhookSecret
      testWebhook listDeliveries getDelivery replayDelivery replayDeadDeliveries
      getRetention placeHold liftHold listHolds eraseAddress listErasures exportAddress`),
  },
  {
    who: TENANT_ADMINS,
    operations: words(`
      migrateRun migrateRuns createPlaybook renamePlaybook retirePlaybook deletePlaybook
      createPlaybookVersion deletePlaybookVersion activatePlaybookVersion importPlaybook
      simulatePlaybook simulatePlaybookVersion putCalendar deleteCalendar
      getTenant changeTenant listTokens createToken rotateToken revokeToken
      listRoles createRole getRole changeRole deleteRole
      listServiceAccounts createServiceAccount getServiceAccount changeServiceAccount
      deleteServiceAccount
      listUsers inviteUser getUser changeUser removeUser createUserLink listUserSessions
      endUserSessions listUserIdentities unlinkUserIdentity getUserFactors removeUserFactors
      listUserGroups createUserGroup getUserGroup changeUserGroup deleteUserGroup
      listAuditEntries verifyAudit`),
  },
  {
    who: ['instance-admin'],
    operations: words(`
      getSnapshot putTag deleteTag putSightingRule changeSightingRule deleteSightingRule
      listSightingRuleHistory pushSightings pushListings pushAllowances pushTaggings pushNetworks
      replaceEntries deleteEntry deleteEntryBySegments putSource deleteSource fetchSource
      putContacts listReportAddresses putReportAddress deleteReportAddress sendTestMail
      listTenants createTenant createSetupLink`),
  },
]
