// The types of the interface, made from openapi/beta.json by `npm run write`: do not edit.

/** The resources by name. */
export interface Schemas {
  ActivatedPlaybookVersion: {
    /** Its id. */
    id: string
    /** Its version, raised by each change. */
    version: number
    /** Its state. */
    state: Schemas['PlaybookVersionState']
    /**
     * Targets that requests of nodes would be refused for as the settings are, such as plain HTTP
     * to an address that CASEWORK_OUTBOUND_ALLOW opens by its range only.
     */
    warnings: readonly (Schemas['ProblemLocation'])[]
  }
  AddedFactor: {
    /** Whether this instance, or a tenant that the person works for, requires a second factor. */
    required: boolean
    /** Since when an authenticator app is set up; null for none. */
    totp_since: (string) | (null)
    /** The passkeys of the person, the oldest first. */
    passkeys: readonly (Schemas['Passkey'])[]
    /** How many recovery codes are unused. */
    recovery_codes_left: number
    /** Until when factors can be changed without another proof; null when one is needed. */
    proof_ends_at: (string) | (null)
    /** With the first factor: ten recovery codes, shown this once; else null. */
    recovery_codes: (readonly (string)[]) | (null)
  }
  /**
   * Sends a request to another system, and keeps status and body of the answer, or the members that
   * `keep` names, in `vars.<id of the node>`; members that `metadata` names are set in the metadata
   * of the case. A status of 2xx takes the path success. 408, 425, 429, 5xx and a target that is
   * not reached are repeated. Every other status, and the last attempt, take the path error.
   */
  ApiCallerNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'api_caller'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** Every method gets the key of the effect as Idempotency-Key. */
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /**
       * An https URL of a public address, or one that CASEWORK_OUTBOUND_ALLOW opens. Path and query
       * may have LiquidJS templates over case, event, events, customer, vars, run and now:
       * `/hosts/{{ event.ip }}?case={{ case.id }}`. Every value is percent-encoded; one that is
       * empty, or a segment `.` or `..` of the path, takes the path error.
       */
      url: string
      /**
       * Everyone who reads the playbook sees them, but for {"secret": "…"}: a secret of the tenant
       * by its name. Texts may have templates.
       */
      headers?: Readonly<Record<string, (string) | ({
        /** The name of a secret of the tenant. */
        secret: string
        /** Stands before it, such as “Bearer ”. */
        prefix?: string
      })>>
      /**
       * What of a JSON answer is kept, instead of the whole body: names, and JSON pointers such as
       * /data/id.
       */
      keep?: Readonly<Record<string, string>>
      /**
       * Members of the metadata of the case that a JSON answer sets: names, and JSON pointers such
       * as /data/id. Null, or nothing at the pointer, takes the member away; others stay.
       */
      metadata?: Readonly<Record<string, string>>
      /**
       * Sent as JSON. Its strings may have templates, and stay strings whatever a value has; a
       * value may be {"cel": "…"}.
       */
      body?: unknown
      /** How long the call may take, in seconds. */
      timeout_seconds?: number
    }
    paths?: Schemas['NodePaths']
    retry?: Schemas['NodeRetry']
  }
  /** Assigns the case to a user or a group of the tenant. A tenant without users takes any text. */
  AssignNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'assign'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /**
       * The id of the user or group (`GET /beta/casework/assignees`); null takes the assignment
       * away. Or {"cel": "…"}.
       */
      assignee_user_id: ((string) | (null)) | ({
        /** An expression as in conditions. */
        cel: string
      })
    }
    paths?: Schemas['NodePaths']
  }
  Assignee: {
    /** Its kind. */
    kind: 'user' | 'group'
    /** What `assignee_user_id` of a case takes. */
    id: string
    /** Its name. */
    name: string
  }
  AssigneePage: {
    /** The entries. */
    items: readonly (Schemas['Assignee'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  AuditEntry: {
    /** Whose chain it is; * for the chain of the instance. */
    tenant_id: string
    /** Number in the chain, from 1. */
    seq: number
    /** When it was done. */
    at: string
    /** Kind of the object and verb, such as token.create. */
    act: string
    /** What it was done to. */
    object: {
      /** Kind of the object. */
      kind: string
      /** Its id. An id that names a person is replaced by a keyed name. */
      id: string
      /**
       * As it was then, or else as it is now; `former user` of a person who is gone. Absent once an
       * erasure or retention has removed it.
       */
      name?: string
    }
    /** Who did it. */
    actor: {
      /**
       * user for a person who signed in; token; local for the administrator of the machine; program
       * for a job.
       */
      kind: string
      /** Id of the user or token, or name of the job. */
      id: string
      /**
       * As it was then, or else as it is now; `former user` of a person who is gone. Absent once an
       * erasure or retention has removed it.
       */
      name?: string
    }
    /** The network address of the caller. */
    address?: string
    /** X-Request-Id of its request. */
    request_id?: string
    /** Only the members that changed. Never a secret. */
    before?: unknown
    /** Only the members that changed. Never a secret. */
    after?: unknown
    /**
     * kept: as they were written. changed: an erasure replaced an address in them. absent: there
     * are none.
     */
    values: 'kept' | 'changed' | 'absent'
    /** Id of the key of the digests. */
    key_id?: string
    /** Of the values, and of names and address; they are part of the hash. */
    digests: {
      /** Keyed digest, in hexadecimal. */
      before?: string
      /** Keyed digest, in hexadecimal. */
      after?: string
      /** Keyed digest, in hexadecimal. */
      origin?: string
    }
    /** SHA-256 of the entry and of the hash before it. */
    hash: string
  }
  AuditEntryPage: {
    /** The entries. */
    items: readonly (Schemas['AuditEntry'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  AuditReport: {
    /** Whose chain it is; * for the chain of the instance. */
    tenant_id: string
    /** False when this part has a fault. */
    intact: boolean
    /** The last entry of this part: number, colon and hash. Keep it elsewhere. */
    head: string
    /** Greater than 1 when retention removed entries. */
    first_seq: number
    /** Entries of this part. */
    entries: number
    /** The last entry that a signed checkpoint covers. */
    signed_seq: number
    /** What stands beside the chain, by its state. */
    values: {
      /** Entries whose values are those that were written. */
      intact: number
      /** Entries in which an erasure changed values. */
      erased: number
      /** Entries without values, or of a key not held here. */
      absent: number
    }
    /** The first 100. */
    faults: readonly ({
      /**
       * entry: changed or swapped. missing: deleted. checkpoint: absent or wrong. key: signed with
       * a key that is not held here. value: changed beside the chain. head: the end is not where it
       * must be.
       */
      kind: 'entry' | 'missing' | 'checkpoint' | 'key' | 'value' | 'head'
      /** Where in the chain. */
      seq: number
      /** In words. */
      detail: string
    })[]
    /** All of them. */
    fault_count: number
    /** Send it with the same members for the next part; empty at the end. */
    next_cursor: string
  }
  AuditVerification: {
    /**
     * Whose chain; that of the caller when left out. Another one, and * for the chain of the
     * instance, needs instance:admin.
     */
    tenant_id?: string
    /** A head that was kept elsewhere, as number, colon and hash. */
    expect_head?: string
    /** `next_cursor` of the part before. */
    cursor?: string
  }
  BulkChange: {
    state?: Schemas['CaseState']
    /** Why it counts as resolved; with RESOLVED. */
    resolution?: Schemas['Resolution']
    /** Why it was closed without a resolution; with CLOSED. */
    close_reason?: Schemas['CloseReason']
    /** How bad the case is. */
    severity?: ('low') | ('medium') | ('high') | ('critical') | (null)
    /** Who works on the case. */
    assignee_user_id?: (string) | (null)
    /** Data of your own; the program does not read it. */
    metadata?: Readonly<Record<string, unknown>>
    waiting_on?: Schemas['WaitingOn']
    customer_status?: Schemas['CustomerStatus']
    /** All tags of the case; `add_tags` and `remove_tags` change some. */
    tags?: readonly (string)[]
    /** Tags that the case gets. */
    add_tags?: readonly (string)[]
    /** Tags that the case loses. */
    remove_tags?: readonly (string)[]
    /** Null: when the case was opened. */
    aware_at?: (string) | (null)
    /** A deadline that was agreed; null takes it away. */
    deadline_at?: (string) | (null)
    /** All deadlines that are met; others are due. */
    deadlines_met?: readonly (Schemas['LawClock'])[]
    /** A comment that each changed case gets. */
    comment?: string
  }
  /** Either `ids`, or a `filter` that matches at most 1000 cases. */
  BulkChangeRequest: {
    /** The ids of the cases. */
    ids?: readonly (string)[]
    /** Which ones are meant. */
    filter?: Schemas['CaseFilter']
    /** What is changed. */
    change: Schemas['BulkChange']
    /** The reason. */
    reason?: string
  }
  BulkItem: {
    /** Its id. */
    id: string
    /** What became of it. */
    outcome: 'changed' | 'unchanged' | 'refused' | 'not_found'
    /** Its version, raised by each change. */
    version?: number
    /** `{member: {from, to}}` of the members that differ. */
    changes?: Readonly<Record<string, unknown>>
    /** The error that the change of this case alone would give. */
    code?: string
    /** Why the case was refused. */
    detail?: string
  }
  BulkResult: {
    /** True when nothing was changed. */
    preview: boolean
    /** Undoes the change for 7 days; absent when nothing was changed. */
    change_id?: string
    /** How many were changed. */
    changed: number
    /** How many were so already. */
    unchanged: number
    /** How many were refused. */
    refused: number
    /** How many there are not. */
    not_found: number
    /** In the order of `ids`, or of creation. */
    items: readonly (Schemas['BulkItem'])[]
  }
  BulkUndoItem: {
    /** Id of the case. */
    id: string
    /**
     * `undone`: all that the bulk change did is taken back, or was already. `partly_undone`,
     * `kept`: some or all of it stays, for the reasons in `kept`.
     */
    outcome: 'undone' | 'partly_undone' | 'kept' | 'not_found'
    /** The version of the case now. */
    version?: number
    /** `{member: {from, to}}` of the members that went back. */
    changes?: Readonly<Record<string, unknown>>
    /** Members that stay as they are, with the reason; absent without any. */
    kept?: readonly ({
      /** The member that stays as it is. */
      member: string
      /**
       * CASEWORK_VERSION_IS_STALE when it was changed since; else the error that the change back
       * would give.
       */
      code: string
      /** Why, in words. */
      detail: string
    })[]
  }
  BulkUndoRequest: {
    /** Why, in words; stored in the history. */
    reason?: string
  }
  BulkUndoResult: {
    /** Id of the bulk change. */
    change_id: string
    /** True when nothing was changed. */
    preview: boolean
    /** Cases in which nothing is left of the bulk change. */
    undone: number
    /** Cases in which some members went back. */
    partly_undone: number
    /** Cases in which nothing went back. */
    kept: number
    /** Cases that are no longer there. */
    not_found: number
    /** The cases that the bulk change changed, in the order of their creation. */
    items: readonly (Schemas['BulkUndoItem'])[]
  }
  Calendar: {
    /** How playbooks refer to it. */
    name: string
    /** A name of the IANA time zone database, such as Europe/Berlin. */
    time_zone: string
    /**
     * The hours of opening by the clock on the wall, in their order: {"monday": [{"from": "09:00",
     * "to": "17:00"}], …}. A day that is left out is closed.
     */
    hours: Readonly<Record<string, readonly (Schemas['CalendarSpan'])[]>>
    /** Dates on which all is closed, such as 2027-01-01. */
    holidays?: readonly (string)[]
    /** When it was last changed. */
    updated_at: string
  }
  CalendarList: {
    /** The entries. */
    items: readonly (Schemas['Calendar'])[]
    /** All calendars are on one page. */
    next_cursor: ''
  }
  CalendarSpan: {
    /** Such as 09:00. */
    from: string
    /** Such as 17:30; 24:00 is the end of the day. */
    to: string
  }
  CallerLimit: {
    /** As in the headers RateLimit and RateLimit-Policy. */
    name: string
    /** Requests in a window. */
    limit: number
    /** What is left of them after this request. */
    remaining: number
    /** The length of a window. */
    window_seconds: number
    /** Until the window ends. */
    reset_seconds: number
  }
  CallerPerson: {
    /** Its id. */
    id: string
    /** Its name. */
    name: string
    /** An e-mail address. */
    email: string
  }
  Case: {
    /** `C-` and an upper-case UUID. */
    id: string
    state: Schemas['CaseState']
    /** When it was made. */
    created_at: string
    /** When its first event happened. */
    first_event_date: string
    /** When its last event happened. */
    last_event_date: string
    /** The customer. */
    customer_id: string
    /** The tenant. */
    tenant_id: string
    /** The contract of the customer. */
    contract_id?: string
    summary?: Schemas['CaseListSummary']
  }
  CaseCounts: {
    /** How many there are in all. */
    total: number
    /** How many there are of each. */
    counts: Schemas['StateCounts']
    /** By the member that `by` names; the groups with the most cases first. */
    groups?: readonly ({
      /** Left out for the cases without a value. */
      value?: string
      /** How many there are in all. */
      total: number
      /** How many there are of each. */
      counts: Schemas['StateCounts']
    })[]
    /** True when there are more groups than the thousand that are listed. */
    has_more_groups?: boolean
  }
  CaseDeadline: {
    /**
     * agreed: `deadline_at`. The others only where the tenant has switched them on
     * (`legal_deadlines`). dsa: receipt, 24 hours while open; authority_notice, 24 hours with
     * ChildAbuse events. nis2: early_warning, incident_notification, final_report, 24 hours, 72
     * hours, one month, for severity high or critical or CVE events.
     */
    kind: 'agreed' | 'receipt' | 'authority_notice' | 'early_warning' | 'incident_notification' | 'final_report'
    /** When it is due. */
    due_at: string
    /** Whether it was met. */
    met: boolean
  }
  CaseDetail: {
    /** `C-` and an upper-case UUID. */
    id: string
    state: Schemas['CaseState']
    /** When it was made. */
    created_at: string
    /** When its first event happened. */
    first_event_date: string
    /** When its last event happened. */
    last_event_date: string
    /** The customer. */
    customer_id: string
    /** The tenant. */
    tenant_id: string
    /** The contract of the customer. */
    contract_id?: string
    /** Raised by each change; send it with PATCH. */
    version: number
    /** The group that the case belongs to. */
    case_group: string
    /** The number of events. */
    event_count: number
    /** The types of its events. */
    event_types: readonly (string)[]
    /** The first hundred. */
    event_ips: readonly (string)[]
    /** The first hundred. */
    event_reporters: readonly (string)[]
    /** The first hundred. */
    event_tags: readonly (string)[]
    /** When it was last changed. */
    updated_at: string
    /** How often it was opened again. */
    reopen_count: number
    /** Why it counts as resolved; with RESOLVED. */
    resolution?: Schemas['Resolution']
    /** Why it was closed without a resolution; with CLOSED. */
    close_reason?: 'not_ours' | 'insufficient_evidence' | 'false_positive' | 'duplicate' | 'ignored_by_policy' | 'no_customer' | 'expired' | 'merged'
    /** When it was resolved. */
    resolved_at?: string
    /** When it ended. */
    ended_at?: string
    /** The earlier case of the customer that it follows. */
    linked_case_id?: string
    /** When it stopped taking events: too old or too quiet for its group. */
    sealed_at?: string
    /** How bad the case is. */
    severity?: Schemas['Severity']
    /** Who works on the case. */
    assignee_user_id?: string
    /**
     * The name of that user or group; `former user` of a person who has left the tenant, `deleted
     * group` of a group that is gone, absent for another text.
     */
    assignee_name?: string
    /** Data of your own; the program does not read it. */
    metadata: Readonly<Record<string, unknown>>
    waiting_on: Schemas['WaitingOn']
    customer_status: Schemas['CustomerStatus']
    /** Of the case; `event_tags` are of its events. */
    tags: readonly (string)[]
    /** Start of the legal deadlines: `created_at`, unless changed. */
    aware_at: string
    /** As agreed. */
    deadline_at?: string
    /** The earliest deadline that is not met. */
    due_at?: string
    /** In order of time. */
    deadlines: readonly (Schemas['CaseDeadline'])[]
    /** The case that it was merged into. */
    merged_into?: string
    /** True when a legal hold protects it: its own, or of a case that it is merged with. */
    legal_hold: boolean
    /** The playbook. */
    playbook_id?: string
    /** The version of the playbook. */
    playbook_version?: number
    /** The node at which its run is, or at which the last run stopped. */
    playbook_step?: string
    /** Of that run. */
    playbook_state?: 'active' | 'paused' | 'ended' | 'failed' | 'cancelled'
    /** The nodes at which its playbook waits for a choice. */
    waiting: readonly (Schemas['WaitingTrigger'])[]
  }
  CaseFilter: {
    /** NEW, IN_PROGRESS, RESOLVED, CLOSED; several are separated by commas. */
    state?: string
    /** The customer. */
    customer_id?: string
    /** The contract of the customer. */
    contract_id?: string
    /** The tenant. */
    tenant_id?: string
    /** The group that the case belongs to. */
    case_group?: string
    /**
     * The id of a user or group; `me` for your own cases and those of your groups, `none` for cases
     * without an assignee.
     */
    assignee_user_id?: string
    /** How bad the case is. */
    severity?: Schemas['Severity']
    waiting_on?: Schemas['WaitingOn']
    /** The tag. */
    tag?: string
    /** Cases with a deadline before this time that is not met. */
    deadline_before?: string
    /** Cases with a deadline at this time or later that is not met. */
    deadline_after?: string
    /**
     * Cases with a deadline that is not met and passes within this many hours; deadlines that have
     * passed are among them, with 0 no others.
     */
    due_within_hours?: number
    /** Cases with an event of this address, in any spelling. */
    ip?: string
    /** Cases with an event of an address in this CIDR block, or from `first-last`. */
    range?: string
    /** Cases with an event of this domain. */
    domain?: string
    /** Cases with an event of this e-mail address. */
    reporter?: string
    /** Cases with an event of this type. */
    event_type?: string
    /**
     * Cases whose comments, or the details of whose events, contain all of these words. The last
     * one may be the beginning of a word.
     */
    text?: string
    /** Cases created at this time or later. */
    created_after?: string
    /** Cases created before this time. */
    created_before?: string
    /** Cases created in the last hours, this many. */
    created_within_hours?: number
  }
  CaseGroup: {
    /** Its id. */
    id: string
    /** Its name. */
    name: string
    /** What it is for. */
    description: string
    /** Groups are tried in ascending order; the first match takes the event. */
    order: number
    /** False: it is kept and does nothing. */
    enabled: boolean
    /** CEL over `event`. An event for which it fails does not match. */
    condition?: string
    /** The classes of events that the group takes; all when absent. */
    xarf_classes?: readonly (Schemas['XarfClass'])[]
    /** Events that agree in all of these fields share a case. */
    key_fields: readonly (Schemas['KeyField'])[]
    threshold?: Schemas['Threshold']
    /**
     * An event that happened later than this after the first one of its case opens the next case.
     */
    max_age_seconds?: number
    /**
     * An event that happened later than this after the last one of its case opens the next case.
     */
    max_gap_seconds?: number
    /**
     * For events after the end of a case. reopen: a resolved case is opened again; link: a new case
     * names the ended one; new: a new case does not name it; attach_only: they join the ended case,
     * which stays ended.
     */
    relapse: 'reopen' | 'link' | 'new' | 'attach_only'
    /** Counted from the end of a case; any time when left out. */
    relapse_window_seconds?: number
    /**
     * For events that happened before their case was resolved and arrived afterwards. attach: they
     * join the case, which stays resolved; open_case: they open a case. No policy reopens the case
     * for them.
     */
    late_event: 'attach' | 'open_case'
    /**
     * Severity of new cases by the event that opens them: the first rule whose condition matches,
     * else `severity`.
     */
    severity_rules?: readonly (Schemas['SeverityRule'])[]
    /** How bad the case is. */
    severity?: Schemas['Severity']
    /** The playbook that new cases enter. */
    playbook_id?: string
  }
  CaseGroupPage: {
    /** The entries. */
    items: readonly (Schemas['CaseGroup'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  CaseGroupPatch: {
    /** Its name. */
    name?: string
    /** What it is for. */
    description?: string
    /** Groups are tried in ascending order; the first match takes the event. */
    order?: number
    /** False: it is kept and does nothing. */
    enabled?: boolean
    /** CEL over `event`. An event for which it fails does not match. */
    condition?: (string) | (null)
    /** The classes of events that the group takes; all when absent. */
    xarf_classes?: (readonly (Schemas['XarfClass'])[]) | (null)
    /** Events that agree in all of these fields share a case. */
    key_fields?: readonly (Schemas['KeyField'])[]
    /**
     * How many events of a correlation key a case needs to open. Until then the events are in no
     * case.
     */
    threshold?: (Schemas['Threshold']) | (null)
    /**
     * An event that happened later than this after the first one of its case opens the next case.
     */
    max_age_seconds?: (number) | (null)
    /**
     * An event that happened later than this after the last one of its case opens the next case.
     */
    max_gap_seconds?: (number) | (null)
    /**
     * For events after the end of a case. reopen: a resolved case is opened again; link: a new case
     * names the ended one; new: a new case does not name it; attach_only: they join the ended case,
     * which stays ended.
     */
    relapse?: 'reopen' | 'link' | 'new' | 'attach_only'
    /** Counted from the end of a case; any time when left out. */
    relapse_window_seconds?: (number) | (null)
    /**
     * For events that happened before their case was resolved and arrived afterwards. attach: they
     * join the case, which stays resolved; open_case: they open a case. No policy reopens the case
     * for them.
     */
    late_event?: 'attach' | 'open_case'
    /**
     * Severity of new cases by the event that opens them: the first rule whose condition matches,
     * else `severity`.
     */
    severity_rules?: (readonly (Schemas['SeverityRule'])[]) | (null)
    /** How bad the case is. */
    severity?: (Schemas['Severity']) | (null)
    /** The playbook that new cases enter. */
    playbook_id?: (string) | (null)
  }
  CaseGroupTest: {
    /** Who is responsible for the item of the event. */
    owner: {
      /** The customer. */
      customer_id?: string
      /** The contract of the customer. */
      contract_id?: string
      /** Why nobody is. */
      unassigned_cause?: string
    }
    /** The rules in force, in the order in which they are tried. */
    mute_rules: readonly ({
      /** Its id. */
      id: string
      /** match, no_match or failed. */
      answer: string
      /** Why it failed. */
      reason?: string
    })[]
    /** All groups in their order; the first match takes the event. */
    case_groups: readonly ({
      /** Its id. */
      id: string
      /** match, no_match, failed or disabled. */
      answer: string
      /** Why it failed. */
      reason?: string
    })[]
    /** Of the group that takes the event, in their order up to the first match. */
    severity_rules?: readonly ({
      /** How bad the case is. */
      severity: Schemas['Severity']
      /** match, no_match or failed. */
      answer: string
      /** Why it failed. */
      reason?: string
    })[]
    /** Of a case that the event would open. */
    severity?: Schemas['Severity']
    /** What became of it. */
    outcome: 'group' | 'muted' | 'unassigned'
    /** The group that the case belongs to. */
    case_group?: string
    /** The rule that mutes the event. */
    mute_rule?: string
    /** Events that agree in all of these share a case. */
    key?: readonly ({
      /** A field of the event. */
      field: Schemas['KeyField']
      /** The value. */
      value: (string) | (null)
    })[]
    /** The open case of this key. */
    open_case_id?: string
  }
  CaseHistoryEntry: {
    /** Its id. */
    id: string
    /** When it happened. */
    at: string
    /**
     * open, move, change, comment, notice, mitigation, late_event, relapse_event, reassign,
     * correct, trigger, run_failed, run_ended, run_overdue, run_cancelled, run_paused, run_resumed,
     * run_migrated, merge, unmerge, split, seal, retention, hold, lift_hold or repair.
     */
    kind: string
    /** What did it: a person who signed in, a token, a playbook run, the program. */
    actor_kind: 'user' | 'token' | 'run' | 'system'
    /** Id of the user or token, or `<run id>:<node id>`. */
    actor: string
    /** The name of the user or token; `former user` once the person is gone. */
    actor_name?: string
    from_state?: Schemas['CaseState']
    to_state?: Schemas['CaseState']
    /** The reason that was given with the change. */
    reason?: string
    /** The id of what caused it, such as a run. */
    cause_id?: string
    /** The members that changed, each with its former and its new value. */
    changes?: Readonly<Record<string, unknown>>
  }
  CaseHistoryEntryPage: {
    /** The entries. */
    items: readonly (Schemas['CaseHistoryEntry'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  CaseIntel: {
    /** At most 100, those of most events first. */
    items: readonly (Schemas['CaseItem'])[]
    /** Number of items of the newest 10,000 events of the case, also beyond the list. */
    item_count: number
    /** Serial of the change log up to which the answer is complete. */
    serial: number
  }
  CaseItem: {
    /** Address or domain in canonical form. */
    item: string
    /** Whether the item is an address or a domain. */
    type: 'IP' | 'DOMAIN'
    /** Events of the case that name it. */
    event_count: number
    /** What is to be thought of who has it. */
    intent: 'malicious' | 'suspicious' | 'benign' | 'unknown'
    /** Tags. */
    tags: readonly (string)[]
    /** A mail blocklist names it. */
    listed: boolean
    /** Whether it is reserved: no address of the public Internet, or a special-use name. */
    bogon: boolean
    /** Sighted within the look-back. */
    activity: boolean
    /** When it was first seen. */
    first_seen?: string
    /** When it was last seen. */
    last_seen?: string
  }
  /** With `expand=summary`: what a desk sorts and decides by. */
  CaseListSummary: {
    /** Send it with PATCH of the case. */
    version: number
    /** Id of its case group. */
    case_group: string
    /** How bad the case is. */
    severity?: Schemas['Severity']
    /** The earliest deadline that is not met. */
    due_at?: string
    /** Who works the case. */
    assignee_user_id?: string
    /**
     * The name of that user or group; `former user` of a person who has left the tenant, `deleted
     * group` of a group that is gone, absent for another text.
     */
    assignee_name?: string
    waiting_on: Schemas['WaitingOn']
    customer_status: Schemas['CustomerStatus']
    /** Of the case, not of its events. */
    tags: readonly (string)[]
    /** The first hundred types. */
    event_types: readonly (string)[]
    /** Number of its events. */
    event_count: number
    /** Number of its addresses, 100 at most. */
    ip_count: number
    /** Number of its reporters, 100 at most. */
    reporter_count: number
    /** Number of its comments, 1,000 at most. */
    comment_count: number
    /** How often it was opened again. */
    reopen_count: number
    last_event?: Schemas['ListedEvent']
    /** Absent when the customer is not recorded, or has no name. */
    customer_name?: string
  }
  CaseMerge: {
    /** Ids of the other cases. */
    from: readonly (string)[]
    /** Why, in words; stored in the history. */
    reason?: string
  }
  CasePage: {
    /** The entries. */
    items: readonly (Schemas['Case'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  CasePatch: {
    /** The version that you decided on; or send If-Match. */
    version?: number
    state?: Schemas['CaseState']
    /** Why it counts as resolved; with RESOLVED. */
    resolution?: Schemas['Resolution']
    /** Why it was closed without a resolution; with CLOSED. */
    close_reason?: Schemas['CloseReason']
    /** How bad the case is. */
    severity?: ('low') | ('medium') | ('high') | ('critical') | (null)
    /** Who works on the case. */
    assignee_user_id?: (string) | (null)
    /** Data of your own; the program does not read it. */
    metadata?: Readonly<Record<string, unknown>>
    waiting_on?: Schemas['WaitingOn']
    customer_status?: Schemas['CustomerStatus']
    /** All tags of the case; `add_tags` and `remove_tags` change some. */
    tags?: readonly (string)[]
    /** Tags that the case gets. */
    add_tags?: readonly (string)[]
    /** Tags that the case loses. */
    remove_tags?: readonly (string)[]
    /** Null: when the case was opened. */
    aware_at?: (string) | (null)
    /** A deadline that was agreed; null takes it away. */
    deadline_at?: (string) | (null)
    /** All deadlines that are met; others are due. */
    deadlines_met?: readonly (Schemas['LawClock'])[]
    /** Why, in words; stored in the history. */
    reason?: string
  }
  /** Either `event_ids` or a `filter`. */
  CaseSplit: {
    /** The events. */
    event_ids?: readonly (string)[]
    /** Which ones are meant. */
    filter?: {
      /** An IP address. */
      ip?: string
      /** A domain. */
      domain?: string
      /** The type of event, such as LoginAttack. */
      event_type?: string
      /** Events that happened at this time or later. */
      event_after?: string
      /** Events that happened before this time. */
      event_before?: string
    }
    /** Why, in words; stored in the history. */
    reason?: string
  }
  /**
   * NEW: not looked at yet. IN_PROGRESS: worked on. RESOLVED: ended well. CLOSED: ended otherwise.
   */
  CaseState: 'NEW' | 'IN_PROGRESS' | 'RESOLVED' | 'CLOSED'
  ChangePage: {
    /** By serial; a subject may come several times. */
    changes: readonly (Schemas['ChangedSubject'])[]
    /** The after of the next page, also when there is none yet. */
    next: string
    /** False when the page reaches the newest serial. */
    more: boolean
    /** The newest serial of the change log. */
    serial: number
  }
  ChangePageAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['ChangePage']
  }
  /**
   * Messages `case`, `event`, `report` and `run` with `{"kind", "what", "id", "case_id", "at"}`.
   * The first message is `open`. `reset`: messages are missing, load anew. `end`: the stream ends,
   * with its `reason`: `revoked`, `shutdown`, `slow` or `failed`.
   */
  ChangeStream: string
  ChangedEntry: {
    /** Its kind. */
    kind: 'listing' | 'allowance' | 'tagging' | 'sighting'
    /** Where it comes from. */
    source: {
      /** Its name. */
      name: string
      /** Its kind. */
      kind: string
    }
    /** For a listing or an allowance. */
    list?: string
    /** For a tagging. */
    tag?: string
    /** For a sighting. */
    type?: string
    /** For a sighting whose sensor named one. */
    service?: string
    /** For a sighting. */
    count?: number
    /** False when the source withdrew it. An entry is also over when expires has passed. */
    active: boolean
    /** When it was first seen. */
    firstSeen?: string
    /** When it was last seen. */
    lastSeen?: string
    /** When it stops counting; absent for never. */
    expires?: string
  }
  ChangedSubject: {
    /** Serial of the change. */
    serial: number
    /** Time of the change. */
    at: string
    /** Address, range or domain in canonical form. */
    subject: string
    /**
     * For these kinds, entries is complete: replace everything you know of them. A kind without an
     * entry has none any more.
     */
    kinds: readonly ('listing' | 'allowance' | 'tagging' | 'sighting')[]
    /** The entries. */
    entries: readonly (Schemas['ChangedEntry'])[]
    /** True when there are more than 100 entries of a kind. */
    cut: boolean
  }
  CheckedLink: {
    /** For the first person, for an invited one, or for a new password. */
    kind: 'setup' | 'invitation' | 'reset'
    /** Null for the first person, who gives one. */
    email: (string) | (null)
    /** Its name. */
    name: (string) | (null)
    /** The tenant of an invitation. */
    tenant_id: (string) | (null)
    /** True where an invitation is accepted with the password that the person has. */
    has_password: boolean
    /** When it ends by itself. */
    expires_at: string
  }
  /** Closes the case without a resolution, and ends the run. */
  CloseNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'close'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** Why the case is closed. */
      close_reason: 'not_ours' | 'insufficient_evidence' | 'false_positive' | 'duplicate' | 'ignored_by_policy' | 'no_customer' | 'expired'
    }
    paths?: Schemas['NodePaths']
  }
  CloseReason: 'not_ours' | 'insufficient_evidence' | 'false_positive' | 'duplicate' | 'ignored_by_policy' | 'no_customer' | 'expired'
  Comment: {
    /** Its id. */
    id: string
    /** What was said. */
    text: string
    /**
     * The name of the person, token or playbook that wrote it; `former user` once the person is
     * gone.
     */
    author: string
    /** Id of the person, where one who signed in wrote it. */
    author_user_id?: string
    /** When it was made. */
    created_at: string
    /**
     * Who answered a notice by mail; left out for a comment of ours. The text is then untrusted
     * text of a stranger.
     */
    party?: 'customer' | 'reporter' | 'other'
    /** A program answered, such as an absence notice. */
    automatic?: boolean
    /** What the answer quotes. */
    quoted?: string
    /** The mail, kept like a report. */
    report_id?: string
    /** Files of the mail, which are in its raw bytes. */
    attachments?: readonly ({
      /** Its position in the mail. */
      part: string
      /** As the mail says. */
      media_type: string
      /** The name of the file. */
      file_name?: string
      /** Its length in bytes. */
      byte_length: number
    })[]
  }
  /**
   * Writes a comment to the case, in the name of the playbook. Its text may have values of the
   * case; the run fails where one is missing, or the text becomes blank or too long.
   */
  CommentNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'comment'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /**
       * The text of the comment, at most 10000 characters also with its values. It may have
       * LiquidJS templates over case, event, events, customer, vars, run and now: `Ticket {{
       * vars.ticket.ticket }} opened`.
       */
      text: string
    }
    paths?: Schemas['NodePaths']
  }
  CommentPage: {
    /** The entries. */
    items: readonly (Schemas['Comment'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  Contact: {
    /** An e-mail address. */
    email: string
    /** BCP 47, such as de or pt-BR. */
    language?: string
    /** abuse, technical, billing … */
    purpose?: string
    /** `active` when left out. */
    state: 'active' | 'bounced' | 'disabled'
  }
  Contract: {
    /** Its id. */
    id: string
    /** The customer. */
    customer_id: string
    /** Its name. */
    name?: string
    /** Valid from this time on; without a start when absent. */
    valid_from?: string
    /** Valid before this time; without an end when absent. */
    valid_until?: string
    /** Data of your own; the program does not read it. */
    metadata: Readonly<Record<string, unknown>>
    /** Raised by every change; send it with PATCH. */
    version: number
    /** When it was made. */
    created_at: string
    /** When it was last changed. */
    updated_at: string
  }
  ContractPage: {
    /** The entries. */
    items: readonly (Schemas['Contract'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  ContractPatch: {
    /** The version you decided on, or send If-Match. */
    version?: number
    /** Its name. */
    name?: (string) | (null)
    /** Valid from this time on; without a start when absent. */
    valid_from?: (string) | (null)
    /** Valid before this time; without an end when absent. */
    valid_until?: (string) | (null)
    /** Data of your own; the program does not read it. */
    metadata?: Readonly<Record<string, unknown>>
  }
  CorrectedReport: {
    /** The report. */
    report_id: string
    state: Schemas['ReportState']
    /** True when no event of it was stored. */
    rejected: boolean
    /** The reason. */
    reason?: string
    /** When it arrived. */
    received_at: string
    /** Its media type. */
    media_type: string
    /** Its bytes have been removed; left out while they are kept. */
    raw_removed?: boolean
    /** Its length in bytes. */
    byte_length: number
    /** SHA-256 of its bytes, in hexadecimal digits. */
    sha256: string
    /** How it was read, such as xarf_v4. */
    format?: string
    /** The id that the reporter gave the report. */
    reporter_report_id?: string
    /** The number of events. */
    event_count: number
    /**
     * E-mail address of who reports: of its first event, else of the envelope, else of who handed
     * it in.
     */
    reporter?: string
    /** What it reports first; only with `expand=first_event` of the list. */
    first_event?: {
      /** The type of event, such as LoginAttack. */
      event_type: string
      /** An IP address. */
      ip?: string
      /** A domain. */
      domain?: string
    }
    /** True until it was read for the first time. */
    unread?: boolean
    /** 1 as it was read; one more with each correction. */
    version: number
    via: Schemas['ReportChannel']
    /** Every rule of its format that the report breaks, with the JSON pointer of the place. */
    problems?: readonly ({
      /** The name of a way out of a node. */
      path: string
      /** The reason. */
      reason: string
    })[]
    /** The Message-ID of the mail. */
    message_id?: string
    /** What people corrected, in their order. */
    corrections?: readonly (Schemas['ReportCorrection'])[]
    envelope?: Schemas['MailEnvelope']
    authentication?: Schemas['MailAuthentication']
    /** What became of the events. */
    events: readonly ({
      /** The event. */
      event_id: string
      /** What became of it. */
      outcome: 'changed' | 'withdrawn' | 'added'
      /** The case that it is in now. */
      case_id?: string
    })[]
  }
  /** What the event is about, as a whole: what is left out is no part of it. */
  CorrectedSubject: {
    /** IPv4 or IPv6 address. */
    ip?: string
    /** The host of `url` when left out. */
    domain?: string
    /** A URL. */
    url?: string
    /** Further links. */
    urls?: readonly (string)[]
  }
  CreatedToken: {
    /** Public id; it is no secret. */
    id: string
    /** Its name. */
    name: string
    /** The tenant. */
    tenant_id: string
    /** All that it may do now, by itself and by its roles. */
    scopes: readonly (string)[]
    /** The roles that it names; what they allow may change. */
    roles: readonly (string)[]
    /** CIDR blocks that it may come from; null for any address. */
    networks: (readonly (string)[]) | (null)
    /** Who stands behind it; null for a token of the tenant alone. */
    owner: (Schemas['TokenOwner']) | (null)
    /** Sender of pushed events that name none. */
    contact_email: (string) | (null)
    /** Whether it can be used. */
    state: 'live' | 'expired' | 'revoked'
    /** When it was made. */
    created_at: string
    /** Null for a token that does not expire. */
    expires_at: (string) | (null)
    /** When it was revoked. */
    revoked_at: (string) | (null)
    /** Noted every 30 s. */
    last_used_at: (string) | (null)
    /** When it last got a new secret. */
    rotated_at: (string) | (null)
    /** Until when the secret before the last rotation is good; null when it is not. */
    former_until: (string) | (null)
    /** The secret, shown this once. */
    token: string
  }
  Customer: {
    /** Its id. */
    id: string
    /** Its name. */
    name?: string
    /** The customer that this one belongs to, such as a reseller. */
    parent_customer_id?: string
    /** The people of the customer who get notices. */
    contacts: readonly (Schemas['Contact'])[]
    /** Data of your own; the program does not read it. */
    metadata: Readonly<Record<string, unknown>>
    /** Raised by every change; send it with PATCH. */
    version: number
    /** When it was made. */
    created_at: string
    /** When it was last changed. */
    updated_at: string
  }
  CustomerCounters: {
    /** The customer. */
    customer_id: string
    /** Cases and events of the customer, by the last days. */
    counters: readonly ({
      /** 30, 90 and 365: the last days until now. */
      days: number
      /** Cases that were opened in these days; merged ones count once. 10,000 at most. */
      cases: number
      /** Events of these days. 100,000 at most. */
      events: number
      /** False: there are more than that. */
      complete: boolean
    })[]
  }
  CustomerPatch: {
    /** The version you decided on, or send If-Match. */
    version?: number
    /** Its name. */
    name?: (string) | (null)
    /** The customer that this one belongs to, such as a reseller. */
    parent_customer_id?: (string) | (null)
    /** The people of the customer who get notices. */
    contacts?: readonly (Schemas['NewContact'])[]
    /** Data of your own; the program does not read it. */
    metadata?: Readonly<Record<string, unknown>>
  }
  /** Contact with the customer; never back to `unnotified`. */
  CustomerStatus: 'unnotified' | 'notified' | 'seen' | 'claims_fixed' | 'disputed' | 'bounced'
  Decision: {
    /** The run. */
    run_id: string
    /** False: it is noted, and a second person must choose the same. */
    decided: boolean
  }
  /** Waits for a time, for hours of opening of a calendar, or until a moment. */
  DelayNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'delay'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** Exactly one of duration, until and business; a calendar for hours of opening. */
    config?: {
      /**
       * How long, from the arrival at the node. Seconds, or an ISO 8601 duration such as PT15M or
       * P3DT12H.
       */
      duration?: (number) | (string)
      /**
       * A moment, such as 2027-01-31T08:00:00Z; the past is over. Or `opening` with a calendar: its
       * next opening, at once when it is open. An expression, such as `case.deadline_at`, is asked
       * once, on arrival; the run fails when it gives no moment. Or {"cel": "…"}.
       */
      until?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Hours of opening, such as PT8H; a day is 24 of them. */
      business?: (number) | (string)
      /** The name of a calendar of the tenant (`/beta/casework/calendars`). */
      calendar?: string
    }
    paths?: Schemas['NodePaths']
  }
  DelistResult: {
    /** In canonical form. */
    item: string
    /** Number of removed entries. */
    removed: number
    /** The source is fetched by URL, so the next fetch may bring the entry back. */
    fetched: boolean
    /** What brings the entry back, and what keeps it away. */
    note: string
  }
  DelistResultAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['DelistResult']
  }
  Delivery: {
    /** Sent as `webhook-id`, behind `msg_`. */
    id: string
    /** The type of message, such as case.opened. */
    type: string
    state: Schemas['DeliveryState']
    /** How often it was tried. */
    attempts: number
    /** When it was made. */
    created_at: string
    /** When its next attempt is due. */
    next_at?: string
    /** When it ended. */
    ended_at?: string
    /** Of the last answer. */
    last_status?: number
    /** Why the last attempt failed. */
    last_failure?: string
  }
  DeliveryAttempt: {
    /** The number of the attempt, from 1. */
    attempt: number
    /** When it began. */
    started_at: string
    /** How long it took, in milliseconds. */
    duration_ms: number
    /** The HTTP status of the answer. */
    status?: number
    /** Why it failed. */
    failure?: string
  }
  DeliveryDetail: {
    /** Sent as `webhook-id`, behind `msg_`. */
    id: string
    /** The type of message, such as case.opened. */
    type: string
    state: Schemas['DeliveryState']
    /** How often it was tried. */
    attempts: number
    /** When it was made. */
    created_at: string
    /** When its next attempt is due. */
    next_at?: string
    /** When it ended. */
    ended_at?: string
    /** Of the last answer. */
    last_status?: number
    /** Why the last attempt failed. */
    last_failure?: string
    /** Exactly what is signed and sent. */
    body: string
    /** Attempts that have ended, in their order. */
    attempt_list: readonly (Schemas['DeliveryAttempt'])[]
  }
  DeliveryPage: {
    /** The entries. */
    items: readonly (Schemas['Delivery'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  DeliveryReplay: {
    /** How many are sent again. */
    replayed: number
  }
  DeliveryReplayRequest: {
    /** Dead deliveries that were made since then are sent again. */
    since: string
  }
  /**
   * waiting: for its first or next attempt. delivered: the receiver answered with 2xx. dead: given
   * up after the last attempt.
   */
  DeliveryState: 'waiting' | 'delivered' | 'dead'
  DeviceCode: {
    /** As it was given. */
    device_code: string
  }
  DeviceCodes: {
    /** The secret by which the program asks for a token. */
    device_code: string
    /** The code that the person types, such as WDJB-MJHT. */
    user_code: string
    /** The page on which the person types it. */
    verification_uri: string
    /** The same page with the code behind the `#`. */
    verification_uri_complete: string
    /** Seconds for which both codes are good. */
    expires_in: number
    /** Seconds between two requests for the token. */
    interval: number
  }
  DeviceLogin: {
    /** The program and its machine, as the person who approves sees them. */
    client_name: string
    /** What the token may do at the most; all that the person may when left out. */
    scopes?: (readonly (string)[]) | (null)
  }
  DeviceToken: {
    /** The token, shown this once. */
    access_token: string
    /** It is sent as `Authorization: Bearer`. */
    token_type: 'Bearer'
    /** Seconds until the token ends. */
    expires_in: number
    /** What it may do now, separated by spaces. */
    scope: string
    /** The public id of the token. */
    token_id: string
    /** The tenant. */
    tenant_id: string
  }
  /** A heading or remark for people. No path leads to it, and the engine ignores it. */
  DividerNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'divider'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** What an editor shows; may be empty. */
      text: string
    }
    paths?: Schemas['NodePaths']
  }
  DraftCaseGroup: {
    /** Of a stored group: the members change that group. Else the group is new. */
    id?: string
    /** Its name. */
    name?: string
    /** What it is for. */
    description?: string
    /** Groups are tried in ascending order; the first match takes the event. */
    order?: number
    /** False: it is kept and does nothing. */
    enabled?: boolean
    /** CEL over `event`. An event for which it fails does not match. */
    condition?: (string) | (null)
    /** The classes of events that the group takes; all when absent. */
    xarf_classes?: (readonly (Schemas['XarfClass'])[]) | (null)
    /** Events that agree in all of these fields share a case. */
    key_fields?: readonly (Schemas['KeyField'])[]
    /**
     * How many events of a correlation key a case needs to open. Until then the events are in no
     * case.
     */
    threshold?: (Schemas['Threshold']) | (null)
    /**
     * An event that happened later than this after the first one of its case opens the next case.
     */
    max_age_seconds?: (number) | (null)
    /**
     * An event that happened later than this after the last one of its case opens the next case.
     */
    max_gap_seconds?: (number) | (null)
    /**
     * For events after the end of a case. reopen: a resolved case is opened again; link: a new case
     * names the ended one; new: a new case does not name it; attach_only: they join the ended case,
     * which stays ended.
     */
    relapse?: 'reopen' | 'link' | 'new' | 'attach_only'
    /** Counted from the end of a case; any time when left out. */
    relapse_window_seconds?: (number) | (null)
    /**
     * For events that happened before their case was resolved and arrived afterwards. attach: they
     * join the case, which stays resolved; open_case: they open a case. No policy reopens the case
     * for them.
     */
    late_event?: 'attach' | 'open_case'
    /**
     * Severity of new cases by the event that opens them: the first rule whose condition matches,
     * else `severity`.
     */
    severity_rules?: (readonly (Schemas['SeverityRule'])[]) | (null)
    /** How bad the case is. */
    severity?: (Schemas['Severity']) | (null)
    /** The playbook that new cases enter. */
    playbook_id?: (string) | (null)
  }
  /** Either `condition` or `key`. */
  DraftMuteRule: {
    /** CEL over `event`. An event for which it fails does not match. */
    condition?: string
    key?: Schemas['KeyMatch']
    /** The reason. */
    reason?: string
    /** At most a year from now. */
    until?: string
  }
  /**
   * Sends a notice by mail, and waits until the relay has taken it (path sent). A mail that comes
   * back within `bounce_within` takes the path bounced. Without a relay or a recipient, for an
   * address that gets no mail, and for a template that fails, the path is error. A notice that the
   * limit of a day holds back counts as sent, with the state held.
   */
  EmailNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'email'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /**
       * `customer`: its contact. `reporter`: the one of the newest event. Else an address. Or
       * {"cel": "…"}.
       */
      to: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** The name of a template of notices; that of a purpose is its purpose. */
      template: string
      /** Which contact of the customer: abuse when left out. */
      contact_purpose?: string
      /** BCP 47, such as de. When left out, that of the contact, else English. Or {"cel": "…"}. */
      language?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Shown where the template has `text`. Or {"cel": "…"}. */
      text?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** True: the limit of a day does not hold it back. */
      urgent?: boolean
      /** True: what the reports enclose goes along, redacted by the profile. */
      evidence?: boolean
      /** Shown where the template has `vars.<name>`. No other vars are shown. */
      vars?: Readonly<Record<string, ((string) | (number) | (boolean)) | ({
        /** An expression as in conditions. */
        cel: string
      })>>
      /**
       * After the relay took the mail, the node waits so long whether it comes back. An answer or a
       * trigger for the node behind `sent` ends this wait and is taken by that node. It needs
       * CASEWORK_MAIL_DOMAIN. Seconds, or an ISO 8601 duration such as PT15M or P3DT12H.
       */
      bounce_within?: (number) | (string)
    }
    paths?: Schemas['NodePaths']
  }
  /** Ends the run. The case stays as it is. */
  EndNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'end'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config?: Readonly<Record<string, unknown>>
    paths?: Schemas['NodePaths']
  }
  Erasure: {
    /** Its id. */
    id: string
    /** While it is under_way, send the same request again to continue. */
    state: 'under_way' | 'done'
    /** True: nothing is changed; the answer tells what would be. */
    preview: boolean
    /** How many were sent. */
    addresses: number
    /** The replacement of the address, if there is only one. */
    replaced_by?: string
    /** The erasures that this one repeats; it continues without requests. */
    repeats?: readonly (string)[]
    /**
     * Changed rows by table, or a preview of them. report_raw counts reports whose bytes are
     * removed.
     */
    changed: Readonly<Record<string, number>>
    /**
     * Rows by table and column (`customer.id`) with the address in an id or in settings. They are
     * not changed; change them yourself.
     */
    kept: Readonly<Record<string, number>>
    /**
     * Unchanged rows by table whose case is on legal hold. Repeat the erasure after the hold is
     * lifted.
     */
    held: Readonly<Record<string, number>>
    /**
     * Ids of reports whose bytes were too costly to search, so an address may still be in them.
     * Look at them, or wait until retention removes their bytes. Absent when there are none.
     */
    unsearched_reports?: readonly (string)[]
    /** Id of the token, or `restore`. */
    requested_by: string
    /** When it began. */
    started_at: string
    /** When it was done. */
    finished_at?: string
  }
  ErasurePage: {
    /** The entries. */
    items: readonly (Schemas['Erasure'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  Event: {
    /** When the event was created. */
    create_date: string
    /** Unique event identifier. */
    event_id: string
    /** E-mail of the report sender. */
    sender_email: string
    /** Associated case. */
    case_id?: string
    /** Whether the event has been resolved. */
    resolved?: boolean
    /** Time of the event. */
    event_date: string
    /** Type of event, such as LoginAttack. */
    event_type: string
    /** The contract of the customer. */
    contract_id?: string
    /** The customer. */
    customer_id?: string
    /** Domain associated with the event. */
    domain?: string
    /** Additional details; `url` is the reported URL, `urls` are further ones. */
    event_details?: Readonly<Record<string, unknown>>
    /** Finer words for the type. */
    event_subtypes?: readonly (string)[]
    /** IP address associated with the event. */
    ip?: string
    /** The address that the reported mail went to. */
    recipient_email?: string
    /** Tags. */
    tags?: readonly (string)[]
    /** The tenant. */
    tenant_id?: string
    /** Category of XARF version 4. */
    xarf_class?: string
    /** How often exactly this event has arrived. */
    seen_count?: number
    /** When it last arrived. */
    last_seen?: string
    /** The report that brought it first; only with `expand=report`. */
    report_id?: string
  }
  /** What an event says, as far as it can be corrected. */
  EventContent: {
    /** The type of event, such as LoginAttack. */
    event_type: string
    /** An IP address. */
    ip?: string
    /** A domain. */
    domain?: string
    /** A URL. */
    url?: string
    /** Further URLs. */
    urls?: readonly (string)[]
    /** What was attacked. */
    target?: Readonly<Record<string, unknown>>
  }
  EventOutcome: 'created' | 'duplicate' | 'unassigned' | 'held' | 'muted'
  EventReassignment: {
    /** The owner from now on; left out: found anew by resources. */
    customer_id?: string
    /** The contract of the customer. */
    contract_id?: string
    /** Why, in words; kept in the histories. */
    reason?: string
  }
  EventReplay: {
    /** How many have an owner and a case now. */
    assigned: number
    /** How many still have none. */
    unassigned: number
    /** Send it as `after` to go on; empty when all were looked at. */
    next_after: string
  }
  EventReplayRequest: {
    /** Only these. */
    event_ids?: readonly (string)[]
    /** Only events that were unassigned or held for this cause. */
    cause?: 'no_target' | 'no_match' | 'resolver_failed'
    /** Events of this time or later. */
    event_after?: string
    /** Events before this time. */
    event_before?: string
    /** The next_after of the answer before, to go on. */
    after?: string
  }
  EventSummary: {
    /** When it happened. */
    event_date: string
    /** The event. */
    event_id: string
    /** The type of event, such as LoginAttack. */
    event_type: string
    /** The address of the reporter. */
    sender_email: string
    /** A domain. */
    domain?: string
    /** An IP address. */
    ip?: string
    /** Only with `expand=case`. */
    case_id?: string
    /** Only with `expand=case`. */
    customer_id?: string
  }
  EventSummaryPage: {
    /** The entries. */
    items: readonly (Schemas['EventSummary'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  /** What was attacked; it takes the place of event_details.target. */
  EventTarget: {
    /** IPv4 or IPv6 address. */
    ip?: string
    /** The host of `url` when left out. */
    domain?: string
    /** A URL. */
    url?: string
  }
  ExpandedCase: {
    /** `C-` and an upper-case UUID. */
    id: string
    state: Schemas['CaseState']
    /** When it was made. */
    created_at: string
    /** When its first event happened. */
    first_event_date: string
    /** When its last event happened. */
    last_event_date: string
    /** The customer. */
    customer_id: string
    /** The tenant. */
    tenant_id: string
    /** The contract of the customer. */
    contract_id?: string
    /** Raised by each change; send it with PATCH. */
    version: number
    /** The group that the case belongs to. */
    case_group: string
    /** The number of events. */
    event_count: number
    /** The types of its events. */
    event_types: readonly (string)[]
    /** The first hundred. */
    event_ips: readonly (string)[]
    /** The first hundred. */
    event_reporters: readonly (string)[]
    /** The first hundred. */
    event_tags: readonly (string)[]
    /** When it was last changed. */
    updated_at: string
    /** How often it was opened again. */
    reopen_count: number
    /** Why it counts as resolved; with RESOLVED. */
    resolution?: Schemas['Resolution']
    /** Why it was closed without a resolution; with CLOSED. */
    close_reason?: 'not_ours' | 'insufficient_evidence' | 'false_positive' | 'duplicate' | 'ignored_by_policy' | 'no_customer' | 'expired' | 'merged'
    /** When it was resolved. */
    resolved_at?: string
    /** When it ended. */
    ended_at?: string
    /** The earlier case of the customer that it follows. */
    linked_case_id?: string
    /** When it stopped taking events: too old or too quiet for its group. */
    sealed_at?: string
    /** How bad the case is. */
    severity?: Schemas['Severity']
    /** Who works on the case. */
    assignee_user_id?: string
    /**
     * The name of that user or group; `former user` of a person who has left the tenant, `deleted
     * group` of a group that is gone, absent for another text.
     */
    assignee_name?: string
    /** Data of your own; the program does not read it. */
    metadata: Readonly<Record<string, unknown>>
    waiting_on: Schemas['WaitingOn']
    customer_status: Schemas['CustomerStatus']
    /** Of the case; `event_tags` are of its events. */
    tags: readonly (string)[]
    /** Start of the legal deadlines: `created_at`, unless changed. */
    aware_at: string
    /** As agreed. */
    deadline_at?: string
    /** The earliest deadline that is not met. */
    due_at?: string
    /** In order of time. */
    deadlines: readonly (Schemas['CaseDeadline'])[]
    /** The case that it was merged into. */
    merged_into?: string
    /** True when a legal hold protects it: its own, or of a case that it is merged with. */
    legal_hold: boolean
    /** The playbook. */
    playbook_id?: string
    /** The version of the playbook. */
    playbook_version?: number
    /** The node at which its run is, or at which the last run stopped. */
    playbook_step?: string
    /** Of that run. */
    playbook_state?: 'active' | 'paused' | 'ended' | 'failed' | 'cancelled'
    /** The nodes at which its playbook waits for a choice. */
    waiting: readonly (Schemas['WaitingTrigger'])[]
    /** What else there is of the customer. */
    customer?: Schemas['CustomerCounters']
  }
  ExplainedEntry: {
    /** Its kind. */
    kind: 'listing' | 'allowance' | 'tagging' | 'sighting'
    /** Address, range or domain that the entry is about. */
    subject: string
    /**
     * How the subject covers the item. prefix: the /64 of the item, as the sum of the sightings of
     * its single addresses.
     */
    relation: 'itself' | 'range' | 'parent' | 'prefix'
    /** Where it comes from. */
    source: {
      /** casework stands for one reporter of accepted reports. */
      name: string
      /** Its kind. */
      kind: string
    }
    /** For a listing or an allowance. */
    list?: string
    /** For a tagging. */
    tag?: string
    /** For a sighting. */
    type?: string
    /** For a sighting whose sensor named one. */
    service?: string
    /** For a sighting. */
    count?: number
    /** The reason that the source gave. */
    reason?: string
    /** When it was first seen. */
    firstSeen?: string
    /** When it was last seen. */
    lastSeen?: string
    /** Time since lastSeen. */
    ageSeconds?: number
    /** When it stops counting; absent for never. */
    expires?: string
    /** The entry counts now: it has not expired, or is a sighting within the look-back. */
    live: boolean
  }
  Explanation: {
    /** The text as it was sent. */
    item: string
    /** The canonical form of the item. */
    canonical: string
    /** Whether the item is an address or a domain. */
    type: 'IP' | 'DOMAIN'
    /** Serial of the change log up to which the answer is complete. */
    serial: number
    /** Whether it is reserved: no address of the public Internet, or a special-use name. */
    bogon: {
      /** The value. */
      value: boolean
      /** The reason, in one sentence. */
      because: string
    }
    /** Whether the item is on a mail blocklist. */
    serviceMailBlocklist: {
      value: Schemas['MailBlocklistStatus']
      /** The reason, in one sentence. */
      because: string
    }
    /** What is to be thought of who has it. */
    intent: {
      /** The value. */
      value: Schemas['ItemIntent']
      /** The reason, in one sentence. */
      because: string
    }
    /** Whether it was seen doing something. */
    activity: {
      /** The value. */
      value: boolean
      /** The reason, in one sentence. */
      because: string
    }
    /** Tags. */
    tags: readonly ({
      /** Its name. */
      name: string
      /** What is to be thought of who has it. */
      intent: (Schemas['ItemIntent']) | ('none')
      /** What it follows from. */
      because: readonly (string)[]
    })[]
    /** What sources say of the item. */
    entries: readonly (Schemas['ExplainedEntry'])[]
    /** For an IPv6 address. */
    rollUp?: {
      /** The /64 has so many sighted addresses that their sightings count for all of it. */
      counts: boolean
      /** From this number of addresses on it does. */
      addressesMin: number
      /** The /64, the /56 and the /48. */
      prefixes: readonly ({
        /** A range of IPv6 addresses. */
        prefix: string
        /** Number of its addresses sighted within the look-back. */
        addresses: number
        /** Number of its addresses ever sighted. */
        addressesEver: number
      })[]
    }
    /** Parts that are missing, such as reasons while the database is unreachable. */
    notes: readonly (string)[]
  }
  ExplanationAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['Explanation']
  }
  Factors: {
    /** Whether this instance, or a tenant that the person works for, requires a second factor. */
    required: boolean
    /** Since when an authenticator app is set up; null for none. */
    totp_since: (string) | (null)
    /** The passkeys of the person, the oldest first. */
    passkeys: readonly (Schemas['Passkey'])[]
    /** How many recovery codes are unused. */
    recovery_codes_left: number
    /** Until when factors can be changed without another proof; null when one is needed. */
    proof_ends_at: (string) | (null)
  }
  FailureEnvelope: {
    /** Says that the request failed. */
    status: 'failure'
    /** Repeats the HTTP status. */
    statusCode: number
    /** What was wrong. */
    errors: {
      /** The reason and the remedy, in one sentence. */
      '$': string
    }
  }
  /** The characters of the shown report by which a value was found. */
  FindingLocation: {
    /** Which list it is in. */
    of: 'header' | 'text'
    /** Position in `headers` or `texts`, from 0. */
    at: number
    /** Line of the text, from 0; 0 for a header. */
    line: number
    /** First character, in UTF-16 units. */
    start: number
    /** The character behind the last one. */
    end: number
  }
  /**
   * Takes the path each once for every element of a list, with the element in vars.item, and then
   * next. The path each must lead back to this node. The list is read on the first arrival and has
   * at most 1,000 elements.
   */
  ForEachNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'for_each'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** A CEL expression that gives a list. */
      list: string
      /** Name of the element in vars; `item` when left out. */
      as?: string
    }
    paths?: Schemas['NodePaths']
  }
  ForgottenPassword: {
    /** An e-mail address. */
    email: string
    /** Of the mail; en when left out. */
    language?: 'en' | 'de'
  }
  /**
   * Goes on by all of its paths at once. Each branch has a copy of vars; a join brings the branches
   * together.
   */
  ForkNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'fork'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** Names of the branches. Each must lead to a node. */
      paths: readonly (string)[]
    }
    paths?: Schemas['NodePaths']
  }
  FormField: {
    /** Its name. */
    name: string
    /** text, number, boolean, date, choice or choices. */
    type: string
    /** What people read. */
    label: string
    /** The paths that need it. */
    required_for: readonly (string)[]
    /** Of choice and choices. */
    options?: readonly ({
      /** The value. */
      value: string
      /** What people read. */
      label: string
    })[]
  }
  GraphSimulationRequest: {
    /** The graph, as `createPlaybook` takes it. */
    nodes: readonly (Readonly<Record<string, unknown>>)[]
    /** The cases; or `last` of them. */
    case_ids?: readonly (string)[]
    /** So many of the newest cases; 10 when neither is given. */
    last?: number
    /** With `last`: the cases of this group only. */
    case_group?: string
    /**
     * The case is worked as when it was opened, and the clock of the simulation begins then. Events
     * that came later are there. false: as it is now, from now on.
     */
    as_new?: boolean
    /**
     * By node, the path that a call comes back by, or that somebody chooses at a trigger or manual
     * node; with `vars` that it brings. A list is for one visit after the other. Without one a call
     * succeeds, and a run waits at the node. `<playbook id>/<node id>` names a node of another
     * playbook.
     */
    assume?: Readonly<Record<string, ((string) | ({
      /** The name of a way out of a node. */
      path: string
      /** What earlier nodes have kept, by the id of the node. */
      vars?: Readonly<Record<string, unknown>>
    })) | (readonly ((string) | ({
      /** The name of a way out of a node. */
      path: string
      /** What earlier nodes have kept, by the id of the node. */
      vars?: Readonly<Record<string, unknown>>
    }))[])>>
  }
  HoneypotObservation: {
    /** When it was first seen. */
    firstSeen: string
    /** When it was last seen. */
    lastSeen: string
    /** Left out when the sensor named none. */
    service?: string
    /** What it tried. */
    type: string
  }
  Identity: {
    /** Its id. */
    id: string
    /** The id of the provider when it was linked. */
    provider: string
    /** The provider, by its address. */
    issuer: string
    /** The account there. */
    subject: string
    /** The address of the account as it was told last; it decides nothing. */
    email: (string) | (null)
    /** When it was made. */
    created_at: string
    /** The last sign-in by it; null for none. */
    last_used_at: (string) | (null)
  }
  IdentityList: {
    /** The entries. */
    items: readonly (Schemas['Identity'])[]
  }
  ImportedPlaybook: {
    /**
     * unchanged: the newest version says the same already. refused: of a dry run only. In a dry run
     * what an import would do.
     */
    outcome: 'playbook_created' | 'version_created' | 'unchanged' | 'refused'
    /** True when nothing was stored. */
    dry_run: boolean
    /** Its name. */
    name: string
    /** Of the playbook, if it is there. */
    id?: string
    /** The version that says this, if there is one. */
    version?: number
    /** Its state. */
    state?: Schemas['PlaybookVersionState']
    /** Against the newest version before. */
    changes?: {
      /** Ids of nodes. */
      added: readonly (string)[]
      /** Ids of nodes. */
      changed: readonly (string)[]
      /** Ids of nodes. */
      removed: readonly (string)[]
    }
    /** The wrong places, by JSON pointer. */
    problems: readonly (Schemas['ProblemLocation'])[]
    /**
     * What does not keep the document from being stored: secrets and templates that are missing,
     * for instance, and targets that requests would be refused for.
     */
    warnings: readonly (Schemas['ProblemLocation'])[]
  }
  Invitation: {
    /** An e-mail address. */
    email: string
    /** Its name. */
    name: string
    /** The roles in the tenant; none that holds a scope which the caller lacks. */
    roles: readonly (string)[]
    /** The tenant of the caller when left out; another one needs instance:admin. */
    tenant_id?: string
    /** True sends the link to the person, and the answer does not show it. */
    send_mail?: boolean
    /** Of the mail; en when left out. */
    language?: 'en' | 'de'
  }
  InvitedUser: {
    /** Its id. */
    id: string
    /** An e-mail address. */
    email: string
    /** Its name. */
    name: string
    /** invited until the person has accepted; disabled ones cannot sign in. */
    state: 'invited' | 'active' | 'disabled'
    /** The tenants that the person works for, as far as the caller administers them. */
    tenants: readonly ({
      /** The tenant. */
      tenant_id: string
      /** The roles of the person there. */
      roles: readonly (string)[]
      /** Its state. */
      state: 'invited' | 'active'
    })[]
    /** When it was made. */
    created_at: string
    /** Null for a person who never was here. */
    last_sign_in_at: (string) | (null)
    /** The link, shown this once; null where it was sent by mail. */
    link: (string) | (null)
    /** When the link ends. */
    link_expires_at: string
  }
  ItemIntent: 'malicious' | 'suspicious' | 'benign' | 'unknown'
  /**
   * Brings the branches of a fork together. all waits until each of them is here or has ended; any
   * goes on with the first and ends the others. vars that only another branch has are added.
   */
  JoinNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'join'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config?: {
      /** `all` when left out. */
      mode?: 'all' | 'any'
    }
    paths?: Schemas['NodePaths']
  }
  KeyField: 'customer_id' | 'contract_id' | 'resource' | 'ip' | 'ip_prefix' | 'domain' | 'registrable_domain' | 'event_type' | 'subtype' | 'xarf_class' | 'url_host' | 'sender_email'
  /** Values of key fields. An event matches when it has all of them. */
  KeyMatch: {
    /** The customer. */
    customer_id?: string
    /** The contract of the customer. */
    contract_id?: string
    /** The resource of the customer. */
    resource?: string
    /** An IP address. */
    ip?: string
    /** A range of addresses, as a CIDR block. */
    ip_prefix?: string
    /** A domain. */
    domain?: string
    /** The domain that can be registered, without the names below it. */
    registrable_domain?: string
    /** The type of event, such as LoginAttack. */
    event_type?: string
    /** A finer word for the type. */
    subtype?: string
    /** The class of XARF. */
    xarf_class?: string
    /** The host of the URL. */
    url_host?: string
    /** The address of the reporter. */
    sender_email?: string
  }
  KnownItems: {
    /** Serial of the change log up to which the answer is complete. */
    serial: number
    /** Of all pages. An item may count in several. */
    counts: {
      /** How many are on a list. */
      listed: number
      /** How many were seen. */
      sighted: number
      /** How many are malicious. */
      malicious: number
      /** How many are suspicious. */
      suspicious: number
    }
    /** In the order of addresses, IPv4 first, a range before the items inside it. */
    items: readonly (Schemas['RangeItem'])[]
    /** The after of the next page; empty on the last one. */
    next: string
  }
  KnownItemsAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['KnownItems']
  }
  LawClock: 'receipt' | 'authority_notice' | 'early_warning' | 'incident_notification' | 'final_report'
  LegalHold: {
    /** Its id. */
    id: string
    /** The case. */
    case_id: string
    /** The reason. */
    reason: string
    /** When it was placed. */
    placed_at: string
    /** Id of the token, or of the actor that moved the events. */
    placed_by: string
    /** The legal hold of the case from which events of this case came. */
    extends?: string
    /** Whether it is in force now. */
    in_force: boolean
    /** When it was lifted. */
    lifted_at?: string
    /** Who lifted it. */
    lifted_by?: string
    /** Why it was lifted. */
    lift_reason?: string
  }
  LegalHoldPage: {
    /** The entries. */
    items: readonly (Schemas['LegalHold'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  LegalHoldReason: {
    /** Why, in words; stored with the legal hold and in the history of the case. */
    reason: string
  }
  LinkToCheck: {
    /** The whole link, or what stands behind its `#`. */
    link: string
  }
  LinkToRedeem: {
    /** The whole link, or what stands behind its `#`. */
    link: string
    /** The password; a new one has 12 to 256 characters. */
    password: string
    /** Of the first person; ignored elsewhere. */
    email?: string
    /** Needed for the first person; an invited one may correct theirs. */
    name?: string
  }
  /** cases: GET /beta/casework/cases. events: GET /beta/casework/events. */
  ListOfView: 'cases' | 'events'
  ListedCustomer: {
    /** Its id. */
    id: string
    /** Its name. */
    name?: string
    /** The customer that this one belongs to, such as a reseller. */
    parent_customer_id?: string
    /** The people of the customer who get notices. */
    contacts: readonly (Schemas['Contact'])[]
    /** Data of your own; the program does not read it. */
    metadata: Readonly<Record<string, unknown>>
    /** Raised by every change; send it with PATCH. */
    version: number
    /** When it was made. */
    created_at: string
    /** When it was last changed. */
    updated_at: string
    /** New and in progress; only with `expand=open_cases`. */
    open_cases?: number
  }
  ListedCustomerPage: {
    /** The entries. */
    items: readonly (Schemas['ListedCustomer'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  /** The event with the latest date. A case without events has none. */
  ListedEvent: {
    /** Id of the event. */
    event_id: string
    /** Type of the event. */
    event_type: string
    /** The reported address. */
    ip?: string
    /** The reported domain. */
    domain?: string
  }
  Liveness: {
    /** Says that the process answers. */
    status: 'live'
  }
  LocatedFinding: {
    /** The member of the event, as a JSON pointer. */
    field: string
    /** The value. */
    value: string
    /** The part of the report that holds it. */
    part: string
    /** Line or row of that part, from 1. */
    line?: number
    /** The text at that place. */
    excerpt: string
    /** What the value is in the report. */
    role?: string
    /** 1 is the best candidate. */
    rank?: number
    /** Why it was chosen, or why it was rejected. */
    reason: string
    /** The name of the rule that decided, as the reference of reading rules lists it. */
    rule?: string
    /**
     * The words of the report by which the rule decided; untrusted text of a stranger, perhaps in
     * lower case.
     */
    words?: string
    location?: Schemas['FindingLocation']
  }
  LoginDecision: {
    /** As the program shows it; small letters and a missing hyphen are no matter. */
    user_code: string
    /** False denies it. */
    approve: boolean
  }
  /**
   * Keeps what intel knows of an item in `vars.<id of the node>`: item, listed, intent, tags,
   * activity. A text that is no item takes the path error.
   */
  LookupNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'lookup'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** An address or a domain. Or {"cel": "…"}. */
      item: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
    }
    paths?: Schemas['NodePaths']
  }
  LookupResult: {
    /** The text as it was sent. */
    item: string
    serviceMailBlocklist: Schemas['MailBlocklistStatus']
    /** Whether the item is an address or a domain. */
    type: 'IP' | 'DOMAIN'
    /** Whether it is reserved: no address of the public Internet, or a special-use name. */
    bogon: boolean
    /** Names of live tags, sorted. */
    tags: readonly (string)[]
    /** When it was first seen. */
    firstSeen?: string
    /** When it was last seen. */
    lastSeen?: string
    /** What is to be thought of who has it. */
    intent: Schemas['ItemIntent']
    /** Reverse DNS of the address. */
    reverseDns?: {
      /** The names that the address has now. */
      current: readonly ({
        /** A host name. */
        entry: string
      })[]
    }
    /** Whom to tell about abuse. */
    abuseContact?: {
      /** An e-mail address. */
      email: string
      /** How it went. */
      status: 'UNKNOWN' | 'OK' | 'MX_FAILED' | 'CONNECTION_FAILED' | 'RECIPIENT_FAILED'
      /** When the address last proved to take mail. */
      lastVerification?: string
    }
    /** The autonomous system that announces the address. */
    asn?: {
      /** ISO 3166-1, two letters. */
      countryCode?: string
      /** The autonomous system that announces the address. */
      asn: string
      /** Its name. */
      name?: string
    }
    /** What sensors have seen of it. */
    observedActivity: {
      /** Seen by honeypots. */
      honeypotInteractions?: {
        /** When it was first seen. */
        firstSeen: string
        /** When it was last seen. */
        lastSeen: string
        /** What was seen. */
        observations: readonly (Schemas['HoneypotObservation'])[]
      }
      /** Seen by spam traps. */
      spamtrapInteractions?: {
        /** When it was first seen. */
        firstSeen: string
        /** When it was last seen. */
        lastSeen: string
        /** What was seen. */
        observations: readonly (Schemas['SpamtrapObservation'])[]
      }
    }
  }
  LookupResultAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['LookupResult']
  }
  LookupResultPartialAnswer: {
    /** How it went. */
    status: 'partial_success'
    /** Repeats the HTTP status. */
    statusCode: 503
    /** What was asked for. */
    result: Schemas['LookupResult']
    /** What is missing or wrong. */
    errors: Readonly<Record<string, unknown>>
  }
  /** SPF, DKIM, DMARC and ARC of a mail, on the day it came. */
  MailAuthentication: {
    /** The check of SPF. */
    spf: Schemas['MailCheck']
    /** The check of DKIM. */
    dkim: Schemas['MailCheck']
    /** The check of DMARC. */
    dmarc: {
      /** A word of RFC 8601, or skipped. */
      result: string
      /** A domain. */
      domain?: string
      /** What the domain asks for. */
      policy?: string
    }
    /** The check of ARC. */
    arc: Schemas['MailCheck']
  }
  /** ACTIVE while a live listing of a mail blocklist covers the item. */
  MailBlocklistStatus: 'ACTIVE' | 'INACTIVE'
  MailCheck: {
    /** A word of RFC 8601, or skipped. */
    result: string
    /** A domain. */
    domain?: string
  }
  /** The envelope of a mail. */
  MailEnvelope: {
    /** Empty for a bounce. */
    from?: string
    /** The recipients. */
    to: readonly (string)[]
    /** The address of the mail server that brought it. */
    remote_address?: string
    /** The name by which that server greeted. */
    helo?: string
  }
  /**
   * Waits until a person chooses one of the paths; `waiting_on` of the case is agent meanwhile. A
   * choice with a form goes to `POST …/decisions`, any other also to trigger-playbook.
   */
  ManualNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'manual'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** Names of the paths of which one is chosen. */
      paths: readonly (string)[]
      /** Whom the case waits for meanwhile (`waiting_on` of the case). */
      waiting_on?: 'agent' | 'customer' | 'reporter' | 'third_party'
      /**
       * An answer by mail to a notice of the case takes this path; without it, an answer is a
       * comment only.
       */
      answer?: {
        /** Whose answer. */
        from: 'customer' | 'reporter'
        /** One of the paths. */
        path: string
      }
      /**
       * After this time the node is left by the path `timeout`; without a node at its end the run
       * keeps waiting. Seconds, an ISO 8601 duration such as PT15M or P3DT12H, or hours of opening:
       * {"business": "PT8H", "calendar": "office"}.
       */
      timeout?: (number) | (string) | ({
        /** Hours of opening, such as PT8H; a day is 24 of them. */
        business: (number) | (string)
        /** The name of a calendar of the tenant (`/beta/casework/calendars`). */
        calendar: string
      })
      /** What is to be decided, for people. */
      question?: string
      /** The paths in words for people; the name of a path when left out. */
      titles?: Readonly<Record<string, string>>
      /** Who may choose: a caller that has every scope of this role. */
      role?: 'viewer' | 'agent' | 'lead' | 'playbook-author' | 'tenant-admin' | 'auditor' | 'ingest' | 'feeder' | 'automation' | 'instance-admin'
      /**
       * Two different callers must choose the same path. Another path, or another form, begins
       * anew.
       */
      four_eyes?: boolean
      /**
       * Until when somebody should choose, from the arrival. When it passes, the history of the
       * case says so once; `timeout` moves the run. Seconds, an ISO 8601 duration such as PT15M or
       * P3DT12H, or hours of opening: {"business": "PT8H", "calendar": "office"}.
       */
      deadline?: (number) | (string) | ({
        /** Hours of opening, such as PT8H; a day is 24 of them. */
        business: (number) | (string)
        /** The name of a calendar of the tenant (`/beta/casework/calendars`). */
        calendar: string
      })
      /** Fields that go along with the choice of a path. `POST …/decisions` takes their values. */
      form?: readonly ({
        /** The name of the value: lower-case letters, digits and underscores. */
        name: string
        /**
         * text of at most 4,000 characters; number; boolean; date such as 2027-01-31; choice of one
         * option; choices of any of them.
         */
        type: 'text' | 'number' | 'boolean' | 'date' | 'choice' | 'choices'
        /** For people; the name when left out. */
        label?: string
        /** Whether it must be filled in, or for which paths. */
        required?: (boolean) | (readonly (string)[])
        /** What choice and choices offer, with a label for people. */
        options?: readonly ({
          /** The value. */
          value: string
          /** What people read. */
          label?: string
        })[]
      })[]
      /**
       * The values of the form are kept in `vars.<save_as>`, null for an empty one; the id of the
       * node when left out.
       */
      save_as?: string
    }
    paths?: Schemas['NodePaths']
  }
  MigratedRun: {
    /** The run. */
    run_id: string
    /** The case. */
    case_id: string
    /** migrated: also in a preview, which has not done it. */
    result: 'migrated' | 'unchanged' | 'refused'
    /**
     * under_way: a token is about to move, try again. node_not_mapped: the version has no such
     * node. node_not_compatible: the node is of another kind. version_not_active, has_ended,
     * was_cancelled.
     */
    reason?: string
    /** Of the token for which it was refused. */
    node?: string
    /** The tokens of the run. */
    tokens: readonly ({
      /** The number of the token in its run. */
      token: number
      /** The node at which the token was. */
      from: string
      /** The node at which it is now. */
      to: string
    })[]
  }
  MigratedRuns: {
    /** The runs. */
    runs: readonly (Schemas['MigratedRun'])[]
    /** Send it to go on; absent at the end. */
    next?: string
  }
  /**
   * Asks an adapter or a person (`manual`) for a mitigation and waits until it is in force; then it
   * takes the path done, and `vars.<id of the node>` has its id and target. It takes the path error
   * when it is refused or all attempts fail. With `action: undo` it removes mitigations and waits
   * until they are removed. A target must be of the case.
   */
  MitigateNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'mitigate'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config?: {
      /** undo: removes what `of` names. */
      action?: 'execute' | 'undo'
      /** What is done; of undo: which kind only. */
      kind?: 'suspend' | 'null_route' | 'dns_hold' | 'block_port' | 'takedown' | 'custom'
      /** manual, or the name of an adapter: 1 to 64 letters, digits, hyphens, underscores. */
      adapter?: string
      /**
       * When left out: customer for suspend, ip for null_route, block_port and custom, domain for
       * dns_hold, url for takedown.
       */
      target_type?: 'ip' | 'domain' | 'url' | 'customer' | 'contract' | 'other'
      /**
       * When left out: that of the newest event, or the customer or contract of the case. Or
       * {"cel": "…"}.
       */
      target?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Of block_port. */
      port?: number
      /**
       * How long it is in force; without it until somebody undoes it. Seconds, or an ISO 8601
       * duration such as PT15M or P3DT12H.
       */
      expires_in?: (number) | (string)
      /** Sent to the adapter. A value may be {"cel": "…"}. */
      parameters?: Readonly<Record<string, unknown>>
      /** For people. */
      note?: string
      /** True: the target need not be that of an event of the case, or its customer or contract. */
      allow_other?: boolean
      /** Of undo: those that this run asked for, or all of the case. */
      of?: 'run' | 'case'
      /**
       * After this time the path error is taken, and what is still pending is undone. Seconds, or
       * an ISO 8601 duration such as PT15M or P3DT12H.
       */
      timeout?: (number) | (string)
    }
    paths?: Schemas['NodePaths']
  }
  Mitigation: {
    /** Its id. */
    id: string
    /** The case. */
    case_id: string
    /** Of the case, when it was asked for. */
    customer_id: string
    /** Of the playbook that asked for it. */
    run_id?: string
    kind: Schemas['MitigationKind']
    target_type: Schemas['MitigationTargetType']
    /** In canonical form. */
    target: string
    /** The port; absent for all. */
    port?: number
    /** The name of the adapter that does it. */
    adapter: string
    /** Sent to the adapter as they are. */
    parameters: Readonly<Record<string, unknown>>
    /** A note for people. */
    note: string
    /** The adapter gets it as Idempotency-Key, with `:undo` at the removal. */
    key: string
    state: Schemas['MitigationState']
    /**
     * failed, and removing that does not get on: refused, all_attempts_failed, no_result. removed:
     * never_executed, or held_by_other, when another mitigation of the adapter holds the target.
     */
    reason?: string
    /** True: its removal does not get on by itself, and it may be in force. */
    is_stuck: boolean
    /** In the words of the adapter or of a person; foreign text. */
    detail?: string
    /** The id of the other side. */
    reference?: string
    /** Why it was taken back. */
    removal_cause?: 'expired' | 'request' | 'playbook' | 'timeout'
    /** From when on it is in force. */
    effective_from?: string
    /** When it ends by itself. */
    expires_at?: string
    /** When it was taken back. */
    removed_at?: string
    /** Requests to the adapter, in all. */
    attempts: number
    /** When the next request is due. */
    next_at?: string
    /** When it was made. */
    created_at: string
    /** Id of the token, or `<run id>:<node id>`. */
    created_by: string
    /** When its state last changed. */
    changed_at: string
  }
  MitigationAdapter: {
    /** Its name. */
    name: string
    /**
     * Where requests are sent by POST: https, or a target that CASEWORK_OUTBOUND_ALLOW opens. No
     * redirect is followed.
     */
    url: string
    /** The name of a secret of the tenant (`whsec_…`), which signs the requests. */
    secret: string
    /** What it can do. */
    kinds: readonly (Schemas['MitigationKind'])[]
    /** For people. */
    description: string
    /** False: nothing is asked of it, and what is due waits. True when left out. */
    enabled: boolean
    /** When it was made. */
    created_at: string
    /** When it was last changed. */
    updated_at: string
  }
  MitigationAdapterList: {
    /** The entries. */
    items: readonly (Schemas['MitigationAdapter'])[]
    /** All adapters are on one page. */
    next_cursor: ''
  }
  MitigationAttempt: {
    /** The number of the attempt, from 1. */
    attempt: number
    /** What was done. */
    action: 'execute' | 'undo'
    /** When it began. */
    started_at: string
    /** How long it took, in milliseconds. */
    duration_ms?: number
    /** Absent while it is under way. */
    outcome?: 'done' | 'accepted' | 'refused' | 'postponed' | 'interrupted'
    /** Of the answer of the adapter. */
    status?: number
    /** Why it failed. */
    failure?: string
  }
  MitigationDetail: {
    /** Its id. */
    id: string
    /** The case. */
    case_id: string
    /** Of the case, when it was asked for. */
    customer_id: string
    /** Of the playbook that asked for it. */
    run_id?: string
    kind: Schemas['MitigationKind']
    target_type: Schemas['MitigationTargetType']
    /** In canonical form. */
    target: string
    /** The port; absent for all. */
    port?: number
    /** The name of the adapter that does it. */
    adapter: string
    /** Sent to the adapter as they are. */
    parameters: Readonly<Record<string, unknown>>
    /** A note for people. */
    note: string
    /** The adapter gets it as Idempotency-Key, with `:undo` at the removal. */
    key: string
    state: Schemas['MitigationState']
    /**
     * failed, and removing that does not get on: refused, all_attempts_failed, no_result. removed:
     * never_executed, or held_by_other, when another mitigation of the adapter holds the target.
     */
    reason?: string
    /** True: its removal does not get on by itself, and it may be in force. */
    is_stuck: boolean
    /** In the words of the adapter or of a person; foreign text. */
    detail?: string
    /** The id of the other side. */
    reference?: string
    /** Why it was taken back. */
    removal_cause?: 'expired' | 'request' | 'playbook' | 'timeout'
    /** From when on it is in force. */
    effective_from?: string
    /** When it ends by itself. */
    expires_at?: string
    /** When it was taken back. */
    removed_at?: string
    /** Requests to the adapter, in all. */
    attempts: number
    /** When the next request is due. */
    next_at?: string
    /** When it was made. */
    created_at: string
    /** Id of the token, or `<run id>:<node id>`. */
    created_by: string
    /** When its state last changed. */
    changed_at: string
    /** Requests to the adapter in their order, the last 1,000. */
    attempt_list: readonly (Schemas['MitigationAttempt'])[]
  }
  /** What is done. */
  MitigationKind: 'suspend' | 'null_route' | 'dns_hold' | 'block_port' | 'takedown' | 'custom'
  MitigationPage: {
    /** The entries. */
    items: readonly (Schemas['Mitigation'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  MitigationResult: {
    /** What became of what was asked for: its execution, or its removal. */
    result: 'done' | 'refused'
    /** For people. */
    detail?: string
    /** The id of the other side; sent at the removal. */
    reference?: string
  }
  /**
   * pending: not in force yet. active: in force. failed: refused, or all attempts failed. removing:
   * in force until it is undone. removed: no longer in force.
   */
  MitigationState: 'pending' | 'active' | 'failed' | 'removing' | 'removed'
  /**
   * suspend: customer, contract, domain or ip. null_route and block_port: ip. dns_hold: domain.
   * takedown: url or domain. custom: any of them, or other.
   */
  MitigationTargetType: 'ip' | 'domain' | 'url' | 'customer' | 'contract' | 'other'
  MuteRule: {
    /** Its id. */
    id: string
    /** CEL over `event`. An event for which it fails does not match. */
    condition?: string
    key?: Schemas['KeyMatch']
    /** The reason. */
    reason: string
    /** At most a year from now. */
    until: string
    /** Whether it is in force now. */
    in_force: boolean
    /** Number of muted events that are still stored. */
    muted: number
    /** When it was made. */
    created_at: string
    /** Id of the token. */
    created_by: string
    /** When it ended. */
    ended_at?: string
    /** Id of the token; absent when the rule ended by its `until`. */
    ended_by?: string
  }
  MuteRulePage: {
    /** The entries. */
    items: readonly (Schemas['MuteRule'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  NewAbuseContact: {
    /** IP address or range (CIDR); exactly one of range and domain is given. */
    range?: string
    /** Domain; its contact is also that of the names below it. */
    domain?: string
    /** Address for abuse reports; null withdraws the contact of this source. */
    email: (string) | (null)
    /** Name of the source. Of several sources the latest statement counts. */
    source: string
  }
  NewCalendar: {
    /** A name of the IANA time zone database, such as Europe/Berlin. */
    time_zone: string
    /**
     * The hours of opening by the clock on the wall, in their order: {"monday": [{"from": "09:00",
     * "to": "17:00"}], …}. A day that is left out is closed.
     */
    hours: Readonly<Record<string, readonly (Schemas['CalendarSpan'])[]>>
    /** Dates on which all is closed, such as 2027-01-01. */
    holidays?: readonly (string)[]
  }
  NewCaseGroup: {
    /** Lower-case letters, digits and hyphens; generated when left out. */
    id?: string
    /** Its name. */
    name: string
    /** What it is for. */
    description?: string
    /** Groups are tried in ascending order; the first match takes the event. */
    order?: number
    /** False: it is kept and does nothing. */
    enabled?: boolean
    /** CEL over `event`. An event for which it fails does not match. */
    condition?: (string) | (null)
    /** The classes of events that the group takes; all when absent. */
    xarf_classes?: (readonly (Schemas['XarfClass'])[]) | (null)
    /** Events that agree in all of these fields share a case. */
    key_fields?: readonly (Schemas['KeyField'])[]
    /**
     * How many events of a correlation key a case needs to open. Until then the events are in no
     * case.
     */
    threshold?: (Schemas['Threshold']) | (null)
    /**
     * An event that happened later than this after the first one of its case opens the next case.
     */
    max_age_seconds?: (number) | (null)
    /**
     * An event that happened later than this after the last one of its case opens the next case.
     */
    max_gap_seconds?: (number) | (null)
    /**
     * For events after the end of a case. reopen: a resolved case is opened again; link: a new case
     * names the ended one; new: a new case does not name it; attach_only: they join the ended case,
     * which stays ended.
     */
    relapse?: 'reopen' | 'link' | 'new' | 'attach_only'
    /** Counted from the end of a case; any time when left out. */
    relapse_window_seconds?: (number) | (null)
    /**
     * For events that happened before their case was resolved and arrived afterwards. attach: they
     * join the case, which stays resolved; open_case: they open a case. No policy reopens the case
     * for them.
     */
    late_event?: 'attach' | 'open_case'
    /**
     * Severity of new cases by the event that opens them: the first rule whose condition matches,
     * else `severity`.
     */
    severity_rules?: (readonly (Schemas['SeverityRule'])[]) | (null)
    /** How bad the case is. */
    severity?: (Schemas['Severity']) | (null)
    /** The playbook that new cases enter. */
    playbook_id?: (string) | (null)
  }
  NewCaseRun: {
    /** Id of the playbook. */
    playbook_id: string
  }
  NewComment: {
    /** The text. */
    text: string
  }
  NewContact: {
    /** An e-mail address. */
    email: string
    /** BCP 47, such as de or pt-BR. */
    language?: string
    /** abuse, technical, billing … */
    purpose?: string
    /** `active` when left out. */
    state?: 'active' | 'bounced' | 'disabled'
  }
  NewContract: {
    /** Its id. */
    id: string
    /** The customer. */
    customer_id: string
    /** Its name. */
    name?: string
    /** Valid from this time on; without a start when absent. */
    valid_from?: string
    /** Valid before this time; without an end when absent. */
    valid_until?: string
    /** Data of your own; the program does not read it. */
    metadata?: Readonly<Record<string, unknown>>
  }
  NewCorrection: {
    /** Of the report; or send If-Match. */
    version?: number
    /** Why; kept. */
    reason?: string
    /** Events that were read wrongly. */
    events?: readonly ({
      /** An event that this report brought. */
      event_id: string
      /** True: the report says nothing of the kind; the event is removed. */
      withdraw?: boolean
      /** The right type; subtypes are dropped. */
      event_type?: string
      subject?: Schemas['CorrectedSubject']
      /** Null: nothing was attacked. */
      target?: (Schemas['EventTarget']) | (null)
    })[]
    /** True: the report reports nothing; instead of `events`. */
    withdraw_all?: boolean
    /** Events that the reader missed, also of a report that became none. */
    add?: readonly ({
      /** The type of event, such as LoginAttack. */
      event_type: string
      subject: Schemas['CorrectedSubject']
      target?: Schemas['EventTarget']
      /** Of another event of the report when left out, else of the report. */
      event_date?: string
      /** The reporter of the report when left out. */
      sender_email?: string
    })[]
  }
  NewCustomer: {
    /** Its id. */
    id: string
    /** Its name. */
    name?: string
    /** The reseller it is a customer of. */
    parent_customer_id?: string
    /** The people of the customer who get notices. */
    contacts?: readonly (Schemas['NewContact'])[]
    /** Data of your own; the program does not read it. */
    metadata?: Readonly<Record<string, unknown>>
  }
  NewDecision: {
    /**
     * Id of the node at which a run of the case waits; `<playbook id>/<node id>` names the playbook
     * too.
     */
    node: string
    /** Name of the path by which the node is left. */
    path: string
    /**
     * By the names of the fields that `GET …/triggers` shows. Left out by a second person who
     * agrees with the first.
     */
    form?: Readonly<Record<string, unknown>>
  }
  NewEntry: {
    /** IP address, range (CIDR) or domain. */
    item: string
    /** Name of the list; the name of the source when left out. */
    list?: string
    /** In a tag-list: a tag of the catalogue. */
    tag?: string
    /** The reason. */
    reason?: (string) | (null)
    /** When it was first seen. */
    firstSeen?: (string) | (null)
    /** When it was last seen. */
    lastSeen?: (string) | (null)
    /** When it stops counting; absent for never. */
    expires?: (string) | (null)
  }
  NewErasure: {
    /** The e-mail address. */
    address?: string
    /** Many addresses in one pass over all data. */
    addresses?: readonly (string)[]
    /**
     * Id of an earlier erasure to repeat, for example after a legal hold was lifted. It needs no
     * address.
     */
    repeats?: string
    /** True counts the rows and changes nothing. */
    preview?: boolean
  }
  NewEvent: {
    /** Time of the event. */
    event_date: string
    /** Type of event, such as LoginAttack. */
    event_type: string
    /** The contract of the customer. */
    contract_id?: string
    /** The customer. */
    customer_id?: string
    /** Domain associated with the event. */
    domain?: string
    /** Additional details; `url` is the reported URL, `urls` are further ones. */
    event_details?: Readonly<Record<string, unknown>>
    /** Finer words for the type. */
    event_subtypes?: readonly (string)[]
    /** IP address associated with the event. */
    ip?: string
    /** The address that the reported mail went to. */
    recipient_email?: string
    /** Tags. */
    tags?: readonly (string)[]
    /** The tenant. */
    tenant_id?: string
    /** Category of XARF version 4. */
    xarf_class?: string
    /** The address of your token stands in when it is left out. */
    sender_email?: string
    /** Your id of the report; an event of the same id and content is the same event. */
    report_id?: string
  }
  NewListing: {
    /** IP address, range (CIDR) or domain. */
    item: string
    /** Name of the blocklist. */
    list: string
    /** inactive withdraws the listing. */
    status?: ('active' | 'inactive') | (null)
    /** The reason. */
    reason?: (string) | (null)
    /** When it was first seen. */
    firstSeen?: (string) | (null)
    /** When it was last seen. */
    lastSeen?: (string) | (null)
    /** When it stops counting; absent for never. */
    expires?: (string) | (null)
    /** Name of the source; its first row creates it. */
    source: string
  }
  NewMitigation: {
    kind: Schemas['MitigationKind']
    target_type: Schemas['MitigationTargetType']
    /** At most 2,000 characters. */
    target: string
    /** Of block_port only. */
    port?: number
    /** manual, or the name of an adapter: 1 to 64 letters, digits, hyphens, underscores. */
    adapter: string
    /**
     * How long it is in force, from the moment in which it begins: seconds, or an ISO 8601 duration
     * such as P7D.
     */
    expires_in?: (number) | (string)
    /** When it ends by itself. */
    expires_at?: string
    /** Sent to the adapter as they are. */
    parameters?: Readonly<Record<string, unknown>>
    /** For people. */
    note?: string
    /** True: the target need not be that of an event of the case, or its customer or contract. */
    allow_other?: boolean
  }
  NewMitigationAdapter: {
    /**
     * Where requests are sent by POST: https, or a target that CASEWORK_OUTBOUND_ALLOW opens. No
     * redirect is followed.
     */
    url: string
    /** The name of a secret of the tenant (`whsec_…`), which signs the requests. */
    secret: string
    /** What it can do. */
    kinds: readonly (Schemas['MitigationKind'])[]
    /** For people. */
    description?: string
    /** False: nothing is asked of it, and what is due waits. True when left out. */
    enabled?: boolean
  }
  /** Either `condition` or `key`. */
  NewMuteRule: {
    /** CEL over `event`. An event for which it fails does not match. */
    condition?: string
    key?: Schemas['KeyMatch']
    /** The reason. */
    reason: string
    /** At most a year from now. */
    until: string
  }
  NewNetwork: {
    /** Range (CIDR) or IP address that you run. */
    item: string
    /** inactive takes the range off the source. */
    status?: ('active' | 'inactive') | (null)
    /** Name of the source; its first row creates it. */
    source: string
  }
  NewNotice: {
    /** The name of a template; that of a purpose is its purpose. */
    template: string
    party: Schemas['NoticeParty']
    /** An e-mail address. */
    address?: string
    /** BCP 47, such as de or pt-BR. */
    language?: string
    /** abuse when left out. */
    contact_purpose?: string
    /** Shown where the template has `text`. */
    text?: string
    /** For a statement of reasons: restriction, ground, facts and the like. */
    reasons?: Readonly<Record<string, string>>
    /**
     * True: what the newest reports enclose or attach goes with it as text, redacted by the profile
     * of the template.
     */
    evidence?: boolean
    /** True: the limit of the recipient does not hold it. */
    urgent?: boolean
  }
  NewOwnerResolver: {
    /**
     * Questions are sent to it by POST. https, or http to a host and port that
     * CASEWORK_OUTBOUND_ALLOW names.
     */
    url: string
    /** A header of every request, such as authorization. */
    header_name?: string
    /**
     * A secret. When left out, the stored one stays, as long as the origin of the URL and the
     * header are the same.
     */
    header_value?: string
    /** Time limit of a request; 2000 when left out. */
    timeout_ms?: number
    /**
     * How long an answer is kept; 3600 when left out, and at most 300 for an answer without an
     * owner.
     */
    cache_seconds?: number
  }
  NewPasskey: {
    /** What the person calls it, such as "laptop". */
    name: string
    /** What `toJSON()` of the credential gives after `navigator.credentials.create`. */
    credential: {
      /** The id of the credential, in base64url. */
      id: string
      /** The id of the credential, in base64url. */
      rawId: string
      /** The kind of credential. */
      type: 'public-key'
      /** Whether the device is built in. */
      authenticatorAttachment?: string
      /** What extensions answered; not read. */
      clientExtensionResults?: Readonly<Record<string, unknown>>
      /** The answer of the device. */
      response: {
        /** What was asked: challenge and origin. */
        clientDataJSON: string
        /** The public key, in CBOR. */
        attestationObject: string
        /** How the device is reached. */
        transports?: readonly (string)[]
      }
    }
  }
  NewPlaybook: {
    /** Its name. */
    name: string
    /** What this version is for. */
    description?: string
    /** The nodes of the graph. */
    nodes: readonly (Schemas['PlaybookNode'])[]
  }
  NewPlaybookVersion: {
    /** What this version is for. */
    description?: string
    /** The nodes of the graph. */
    nodes: readonly (Schemas['PlaybookNode'])[]
  }
  NewReportAddress: {
    /** The tenant that gets the mail of the address. */
    tenant_id: string
    /**
     * True for a trap: nobody complains to it, so every mail to it is read as spam and is itself
     * the complaint. False when left out.
     */
    trap?: boolean
  }
  NewResource: {
    /** Its kind. */
    kind: Schemas['ResourceKind']
    /**
     * An address, a CIDR block or first-last; a domain, which includes the names below it; or an
     * account as events name it.
     */
    value: string
    /** The customer. */
    customer_id: string
    /** The contract of the customer. */
    contract_id?: string
    /** Valid from this time on; without a start when absent. */
    valid_from?: string
    /** Valid before this time; without an end when absent. */
    valid_until?: string
  }
  NewRole: {
    /** How tokens and people name it: lower case letters, digits and hyphens. */
    name: string
    /** Who gets it. */
    description?: string
    /** What it allows; none that you lack. */
    scopes: readonly (string)[]
  }
  NewSavedView: {
    /** For people. */
    name: string
    list: Schemas['ListOfView']
    /** The query parameters of the list, without a cursor: {"state": "NEW", "sort": "due_at"}. */
    query: Readonly<Record<string, (string) | (number) | (boolean)>>
    /** True: every token of the tenant sees it. False: only the token that made it. */
    shared?: boolean
  }
  NewSecret: {
    /** Stored encrypted, and never shown again. */
    value: string
  }
  NewServiceAccount: {
    /** How tokens name it: lower case letters, digits and hyphens. */
    id: string
    /** What people read, such as "Mail gateway in Oslo". */
    name: string
  }
  NewSighting: {
    /** IP address or domain. */
    item: string
    /** Kind of the sensor: honeypot, spamtrap or another lower-case name. */
    kind: string
    /** Such as ssh. */
    service?: (string) | (null)
    /** Such as login-attack or pristine-spamtrap. */
    type: string
    /** When it was first seen. */
    firstSeen?: (string) | (null)
    /** When it was last seen. */
    lastSeen: string
    /** How often it was seen. */
    count?: (number) | (null)
    /** Name of the sensor; its first row creates it. */
    source: string
  }
  NewSightingRule: {
    /** Kind of the sightings that it counts: honeypot, spamtrap, report … */
    kind: string
    /** Types of sightings; of reports, the event types. */
    types: readonly (string)[]
    /**
     * Left out: any service, also none. Of reports, `unverified` stands for reporters who are not
     * trusted, and only a rule that names it counts them.
     */
    services?: readonly (string)[]
    /** The tag is set from so many observations on. */
    countMin: number
    /** They must come from so many sources; of reports, from so many reporters. */
    sourcesMin: number
    /** Only sightings of this time count; left out, those of the look-back. */
    withinSeconds?: number
    /**
     * Tags of the catalogue. A rule of unverified reports sets none that is malicious or benign.
     */
    tags: readonly (string)[]
    /** False: it is kept and does nothing. */
    enabled?: boolean
  }
  NewSource: {
    /** What it is for. */
    description?: string
    /** Publisher, and where the list can be read. */
    origin?: string
    /** Its terms of use. */
    licence?: string
    /**
     * The source becomes stale when it was not heard of for this long. Left out: it never becomes
     * stale.
     */
    ttlSeconds?: number
    /** For a mail-blocklist, tag-list, allow-list or network that is published under a URL. */
    fetch?: {
      /** A URL. */
      url: string
      /**
       * plain: an address, range or domain a line; rbldnsd: data files of that DNS server; ndjson:
       * a JSON object a line with cidr, ip, address or domain.
       */
      format: 'plain' | 'rbldnsd' | 'ndjson'
      /**
       * The list that its entries are on; for a tag-list, their tag. The name of the source when
       * left out.
       */
      name?: string
      /** The time between two fetches, in seconds. */
      intervalSeconds: number
      /** False: fetched on request only. */
      enabled: boolean
    }
  }
  NewSuppressedAddress: {
    /** Why, for people. */
    note?: string
  }
  NewTag: {
    /** What is to be thought of who has it. */
    intent: 'malicious' | 'suspicious' | 'benign' | 'unknown' | 'none'
    /** What the tag is about. */
    category: string
    /** What it is for. */
    description: string
    /** Pages that explain it. */
    references?: readonly ({
      /** A URL. */
      url: string
      /** What it is for. */
      description: string
    })[]
    /** How it came to be what it is. */
    timeline?: readonly ({
      /** The day. */
      date: string
      /** What was done. */
      action: string
      /** What it is for. */
      description: string
    })[]
  }
  NewTagging: {
    /** IP address, range (CIDR) or domain. */
    item: string
    /** Name of a tag of the catalogue. */
    tag: string
    /** When it was first seen. */
    firstSeen?: (string) | (null)
    /** When it was last seen. */
    lastSeen?: (string) | (null)
    /** When it stops counting; absent for never. */
    expires?: (string) | (null)
    /** Name of the source; its first row creates it. */
    source: string
  }
  NewTemplate: {
    /** LiquidJS; the result is made one line, and begins with the tag of the case. */
    subject: string
    /** LiquidJS; plain text. */
    body: string
    purpose?: Schemas['TemplatePurpose']
    profile?: Schemas['TemplateProfile']
    /** False: it is not used, as if there were none in this language. True when left out. */
    is_active?: boolean
  }
  NewTenant: {
    /** Lower-case letters, digits and hyphens, as in a host name. */
    id: string
    /** Its name. */
    name: string
  }
  NewTestMail: {
    /** The e-mail address. */
    to: string
  }
  NewToken: {
    /** What it is for. */
    name: string
    /** What it may do; none that the caller lacks. Needed unless there are roles. */
    scopes?: readonly (string)[]
    /**
     * Shipped roles or roles of the tenant, granted beside `scopes`. The token follows when a role
     * is changed.
     */
    roles?: readonly (string)[]
    /** One role, as in `roles`. */
    role?: string
    /** IP addresses and CIDR blocks that it may come from; those of the caller when left out. */
    networks?: (readonly (string)[]) | (null)
    /** The service account that owns it. When left out, the owner is that of the caller. */
    service_account_id?: string
    /** The tenant of the caller when left out; another one needs instance:admin. */
    tenant_id?: string
    /** Whom to ask about the token; the sender of events that it pushes. */
    contact_email?: (string) | (null)
    /**
     * In 90 days when left out; null for a token that does not expire. No later than the token of
     * the caller.
     */
    expires_at?: (string) | (null)
  }
  NewTrustedReporter: {
    /** A note for people. */
    note?: string
  }
  NewUserGroup: {
    /** Its name. */
    name: string
    /** The ids of its users, who work for the tenant. */
    user_ids?: readonly (string)[]
  }
  NewWebhook: {
    /** Where messages are sent by POST. No redirect is followed. */
    url: string
    /**
     * The types of messages: `case.opened` A case was opened. `case.moved` The state of a case
     * changed. `case.changed` Another member of a case changed, or it was merged, split or
     * reassigned. `case.commented` A case got a comment. `case.mitigated` A mitigation of a case
     * was asked for, or its state changed. `case.run_ended` A playbook run of a case failed, or
     * ended before the end of its graph. `run.started` A run of a playbook began on a case.
     * `run.waiting` A run came to wait at a node. `run.ended` A run came to its end. `run.failed` A
     * run failed and needs a person. `run.cancelled` A run was cancelled. `run.paused` A run was
     * paused. `run.resumed` A run that was paused or had failed goes on. `run.migrated` A run was
     * put on another version of its playbook. `event.stored` An event was stored. `report.accepted`
     * A report was read as events. `report.rejected` A report was rejected. `report.quarantined` A
     * report waits for a person.
     */
    types: readonly ('case.opened' | 'case.moved' | 'case.changed' | 'case.commented' | 'case.mitigated' | 'case.run_ended' | 'run.started' | 'run.waiting' | 'run.ended' | 'run.failed' | 'run.cancelled' | 'run.paused' | 'run.resumed' | 'run.migrated' | 'event.stored' | 'report.accepted' | 'report.rejected' | 'report.quarantined')[]
    /** For people. */
    description?: string
    /** Only changes of these case groups; null for all. A report has none of them. */
    case_groups?: (readonly (string)[]) | (null)
    /** Only changes of these customers; null for all. A report has none of them. */
    customers?: (readonly (string)[]) | (null)
    /** Only changes of these event types; null for all. A report has none of them. */
    event_types?: (readonly (string)[]) | (null)
    /** False: changes are not told, and nothing is sent later. */
    enabled?: boolean
  }
  /** Unique in the playbook. */
  NodeId: string
  /** For people; the engine ignores it. */
  NodeNote: string
  /** The names of paths, and the nodes to which they lead. A path that is left out ends there. */
  NodePaths: Readonly<Record<string, Schemas['NodeId']>>
  /** Where an editor draws the node. */
  NodePosition: {
    /** From the left. */
    x: number
    /** From the top. */
    y: number
  }
  /** How often the call is repeated, instead of as its kind says. */
  NodeRetry: {
    /** How often it was tried. */
    attempts?: number
    /** The first pause; it doubles after each attempt. */
    seconds?: number
    /** The longest pause. */
    max_seconds?: number
  }
  Notice: {
    /** Its id. */
    id: string
    /** Absent for a digest. */
    case_id?: string
    purpose: Schemas['TemplatePurpose']
    /** The name of the template. */
    template: string
    /** A BCP 47 tag, such as de. */
    language: string
    party: Schemas['NoticeParty']
    /** Of a notice to a customer. */
    customer_id?: string
    /** The address that it goes to. */
    recipient: string
    /** The subject of the mail. */
    subject: string
    state: Schemas['NoticeState']
    /**
     * One stable word, where the state has one. suppressed: on_list, own_address, system_address,
     * automatic_mail, sender_not_proven, too_many, cancelled. held: no_relay, throttled, in_digest.
     * failed: refused_by_relay, all_attempts_failed, recipient_erased, demo. sent: in_digest, when
     * a digest told it.
     */
    reason?: string
    /** How often it was tried. */
    attempts: number
    /** The digest that took it up. */
    digest_id?: string
    /** The Message-ID of the mail. */
    message_id: string
    /** The Message-ID with which its thread began. */
    thread: string
    /** When it was made. */
    created_at: string
    /** Id of the token, or `<run id>:<node id>`. */
    created_by: string
    /** When the relay took it. */
    sent_at?: string
    /** When its next attempt is due. */
    next_at?: string
  }
  NoticeAttempt: {
    /** The number of the attempt, from 1. */
    attempt: number
    /** When it began. */
    started_at: string
    /** How long it took, in milliseconds. */
    duration_ms: number
    /** What became of it. */
    outcome: 'sent' | 'postponed' | 'failed'
    /** Of the reply of the relay. */
    reply_code?: number
    /** Why it failed. */
    failure?: string
  }
  NoticeDetail: {
    /** Its id. */
    id: string
    /** Absent for a digest. */
    case_id?: string
    purpose: Schemas['TemplatePurpose']
    /** The name of the template. */
    template: string
    /** A BCP 47 tag, such as de. */
    language: string
    party: Schemas['NoticeParty']
    /** Of a notice to a customer. */
    customer_id?: string
    /** The address that it goes to. */
    recipient: string
    /** The subject of the mail. */
    subject: string
    state: Schemas['NoticeState']
    /**
     * One stable word, where the state has one. suppressed: on_list, own_address, system_address,
     * automatic_mail, sender_not_proven, too_many, cancelled. held: no_relay, throttled, in_digest.
     * failed: refused_by_relay, all_attempts_failed, recipient_erased, demo. sent: in_digest, when
     * a digest told it.
     */
    reason?: string
    /** How often it was tried. */
    attempts: number
    /** The digest that took it up. */
    digest_id?: string
    /** The Message-ID of the mail. */
    message_id: string
    /** The Message-ID with which its thread began. */
    thread: string
    /** When it was made. */
    created_at: string
    /** Id of the token, or `<run id>:<node id>`. */
    created_by: string
    /** When the relay took it. */
    sent_at?: string
    /** When its next attempt is due. */
    next_at?: string
    /** Exactly what is sent. */
    text: string
    /** Attempts that have ended, in their order. */
    attempt_list: readonly (Schemas['NoticeAttempt'])[]
    /** The texts that go with it; left out before the first attempt. */
    evidence?: readonly ({
      /** The name of the file. */
      file_name: string
      /** The text. */
      text: string
    })[]
    /** What came back by mail, the newest first. */
    replies: readonly (Schemas['NoticeReply'])[]
  }
  NoticeLimit: {
    /** About one case within 24 hours. 0: all of them wait for the digest. */
    case_day: number
    /** About all cases within 24 hours. */
    recipient_day: number
  }
  NoticeLimits: {
    /** False: nothing is held for a digest. */
    is_on: boolean
    /**
     * By purpose, for each recipient address, and for each customer whichever of its contacts has
     * the notice. A purpose that is left out is not limited. Statements of reasons and answers
     * never are.
     */
    limits: {
      /** Notices to customers and others. */
      notice?: Schemas['NoticeLimit']
      /** Reminders. */
      reminder?: Schemas['NoticeLimit']
      /** Receipts to reporters. */
      receipt?: Schemas['NoticeLimit']
      /** What became of it. */
      outcome?: Schemas['NoticeLimit']
    }
    /** Each day at this hour one mail takes up the notices that a limit held for a recipient. */
    digest: {
      /** The hour of the day at which it is sent, from 0. */
      hour: number
      /** Of the IANA database, such as Europe/Berlin. */
      time_zone: string
    }
  }
  NoticePage: {
    /** The entries. */
    items: readonly (Schemas['Notice'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  /**
   * customer: the contact of its customer, by purpose. reporter: of the newest event, or the one of
   * `address`. other: the one of `address`.
   */
  NoticeParty: 'customer' | 'reporter' | 'other'
  NoticePreview: {
    /** The name of the template. */
    template: string
    /** A BCP 47 tag, such as de. */
    language: string
    party: Schemas['NoticeParty']
    /** The address that it would go to. */
    recipient: string
    /** The subject of the mail. */
    subject: string
    /** The text of the mail. */
    text: string
    state: Schemas['NoticeState']
    /** Why it would not go out now, as a notice has it. */
    reason?: string
    /** What would go with it, redacted. */
    evidence?: readonly ({
      /** The name of the file. */
      file_name: string
      /** The text. */
      text: string
    })[]
  }
  NoticeReply: {
    /**
     * answer: of a person. automatic: of a program. bounce: it did not arrive. delay: it has not
     * arrived yet. delivery: it arrived. complaint: the recipient reported it as unwanted.
     */
    kind: 'answer' | 'automatic' | 'bounce' | 'delay' | 'delivery' | 'complaint'
    /** When it arrived. */
    received_at: string
    /** The mail, kept like a report. */
    report_id: string
    /** The comment. */
    comment_id?: string
    /** Of a bounce or delay, by RFC 3463. */
    status?: string
  }
  /**
   * waiting: for its first or next attempt. sent: the relay took it. bounced: it came back. failed:
   * the relay refused it, or all attempts failed. suppressed: its recipient gets no mail, or it was
   * cancelled. held: no relay is set, or the limit of the recipient is reached; a digest sends it.
   */
  NoticeState: 'waiting' | 'sent' | 'bounced' | 'failed' | 'suppressed' | 'held'
  /**
   * Sends a notice to the reporters of the case, by a template that shows nothing of the customer.
   * The path is sent when one mail at least went out. A reporter whose mail was written by a
   * program or is not proven gets none.
   */
  NotifyReporterNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'notify_reporter'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config?: {
      /** The name of a template of notices; `outcome` when left out. */
      template?: string
      /**
       * all: every reporter of the case, the first 20 at most. newest: the one of the newest event.
       * all when left out.
       */
      reporters?: 'all' | 'newest'
      /** BCP 47, such as de. When left out, that of the contact, else English. Or {"cel": "…"}. */
      language?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Shown where the template has `text`. Or {"cel": "…"}. */
      text?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** True: the limit of a day does not hold it back. */
      urgent?: boolean
      /** True: what the reports enclose goes along, redacted by the profile. */
      evidence?: boolean
      /** Shown where the template has `vars.<name>`. No other vars are shown. */
      vars?: Readonly<Record<string, ((string) | (number) | (boolean)) | ({
        /** An expression as in conditions. */
        cel: string
      })>>
    }
    paths?: Schemas['NodePaths']
  }
  OwnSession: {
    /** Its id. */
    id: string
    /** Who is signed in. */
    user: {
      /** Its id. */
      id: string
      /** Its name. */
      name: string
      /** An e-mail address. */
      email: string
    }
    /** The tenant that the session acts in. */
    tenant_id: string
    /** What the token may do. */
    scopes: readonly (string)[]
    /** The tenants that the person works for, with the roles there. */
    tenants: readonly ({
      /** The tenant. */
      tenant_id: string
      /** The roles of the person there. */
      roles: readonly (string)[]
    })[]
    /**
     * True where this instance or the tenant requires a second factor and the person has none: the
     * session can set one up, and has no scopes before.
     */
    must_enrol: boolean
    /**
     * The value of the header `casework-csrf`, which every request by cookie needs that changes
     * something.
     */
    csrf_token: string
    /** When it was made. */
    created_at: string
    /** In any case. */
    expires_at: string
  }
  OwnerImport: {
    /** Rows that were stored. */
    accepted: number
    /** What was not taken, each with the reason. */
    rejected: readonly ({
      /** Position of the row, counted from 0. */
      index: number
      /** The reason. */
      reason: string
      /** The wrong places, by JSON pointer. */
      errors?: readonly (Schemas['ProblemLocation'])[]
    })[]
  }
  OwnerResolver: {
    /** A URL. */
    url: string
    /** The header that is sent with each question. */
    header_name?: string
    /** The value itself is never shown. */
    has_header_value: boolean
    /** How long an answer may take, in milliseconds. */
    timeout_ms: number
    /** How long an answer is kept, in seconds. */
    cache_seconds: number
    /** When it was last changed. */
    updated_at: string
    /** Questions in a row without an answer. */
    failures: number
    /** When it last failed. */
    failed_at?: string
    /** Why the last of them failed. */
    failure?: string
  }
  Passkey: {
    /** Its id. */
    id: string
    /** What the person calls it, such as "laptop". */
    name: string
    /** Whether it is copied to other devices. */
    is_synced: boolean
    /** When it was made. */
    created_at: string
    /** Null before its first use. */
    last_used_at: (string) | (null)
  }
  /** What `toJSON()` of the credential gives after `navigator.credentials.get`. */
  PasskeyAssertion: {
    /** The id of the credential, in base64url. */
    id: string
    /** The id of the credential, in base64url. */
    rawId: string
    /** The kind of credential. */
    type: 'public-key'
    /** Whether the device is built in. */
    authenticatorAttachment?: string
    /** What extensions answered; not read. */
    clientExtensionResults?: Readonly<Record<string, unknown>>
    /** The answer of the device. */
    response: {
      /** What was signed: challenge and origin. */
      clientDataJSON: string
      /** What the device says. */
      authenticatorData: string
      /** The signature. */
      signature: string
      /** The id of the person. */
      userHandle?: (string) | (null)
    }
  }
  PasskeyCreation: {
    /** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
    options: {
      /** The host name that the passkey belongs to. */
      rp: {
        /** Its id. */
        id: string
        /** Its name. */
        name: string
      }
      /** Whose passkey it is. */
      user: {
        /** Its id. */
        id: string
        /** Its name. */
        name: string
        /** The name of the person. */
        displayName: string
      }
      /** What is to be signed; good once, for five minutes. */
      challenge: string
      /** The algorithms that are taken. */
      pubKeyCredParams: readonly ({
        /** The kind of credential. */
        type: 'public-key'
        /** A COSE algorithm. */
        alg: number
      })[]
      /** How long the browser may ask, in milliseconds. */
      timeout: number
      /** Those of the person: a device makes no second one. */
      excludeCredentials: readonly ({
        /** The id of the credential, in base64url. */
        id: string
        /** The kind of credential. */
        type: 'public-key'
        /** How the device is reached. */
        transports: readonly (string)[]
      })[]
      /** Which devices will do. */
      authenticatorSelection: {
        /** The device keeps it. */
        residentKey: string
        /** The device keeps it. */
        requireResidentKey: boolean
        /** The device asks for PIN or finger. */
        userVerification: string
      }
      /** What the maker says of the device: none. */
      attestation: string
    }
  }
  PasskeyName: {
    /** What the person calls it, such as "laptop". */
    name: string
  }
  PasskeyRequest: {
    /** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
    options: {
      /** What is to be signed; good once, for five minutes. */
      challenge: string
      /** How long the browser may ask, in milliseconds. */
      timeout: number
      /** The host name that the passkey belongs to. */
      rpId: string
      /** Empty for any of this host. */
      allowCredentials: readonly ({
        /** The id of the credential, in base64url. */
        id: string
        /** The kind of credential. */
        type: 'public-key'
        /** How the device is reached. */
        transports: readonly (string)[]
      })[]
      /** The device asks for PIN or finger. */
      userVerification: string
    }
  }
  PasskeySignIn: {
    credential: Schemas['PasskeyAssertion']
    /** The tenant to act in; the first one of the person when left out. */
    tenant_id?: string
  }
  PasswordChange: {
    /** Needed of a person who has one. */
    current_password?: string
    /** It has 12 to 256 characters. */
    new_password: string
  }
  Playbook: {
    /** Its id. */
    id: string
    /** Its name. */
    name: string
    /** The version on which new cases start; absent when there is none. */
    active_version?: number
    /** The newest version, whatever its state. */
    latest_version: number
    /** When it was made. */
    created_at: string
  }
  PlaybookDetail: {
    /** Its id. */
    id: string
    /** Its name. */
    name: string
    /** The version on which new cases start; absent when there is none. */
    active_version?: number
    /** The newest version, whatever its state. */
    latest_version: number
    /** When it was made. */
    created_at: string
    /** The versions, newest first. */
    versions: readonly (Schemas['PlaybookVersion'])[]
  }
  PlaybookDocument: {
    /** The version of this format. */
    format?: 'casework-playbook/1'
    /** The playbook; an import adds a version to the one of this name. */
    name: string
    /** What it is for. */
    description?: string
    /** The nodes of the graph. */
    nodes: readonly (Schemas['PlaybookNode'])[]
  }
  PlaybookGraph: {
    /** The nodes of the graph. */
    nodes: readonly (Schemas['PlaybookNode'])[]
  }
  PlaybookImport: (Schemas['PlaybookDocument']) | ({
    /** The name of a playbook that ships with the program. */
    template: string
    /** Instead of the name that it has. */
    name?: string
  })
  PlaybookName: {
    /** The new name. */
    name: string
  }
  /** A node; its kind says which members `config` has. */
  PlaybookNode: (Schemas['StartNode']) | (Schemas['TrueFalseNode']) | (Schemas['SwitchNode']) | (Schemas['DelayNode']) | (Schemas['WaitUntilNode']) | (Schemas['TriggerNode']) | (Schemas['ManualNode']) | (Schemas['ForkNode']) | (Schemas['JoinNode']) | (Schemas['ForEachNode']) | (Schemas['SubPlaybookNode']) | (Schemas['SetStateNode']) | (Schemas['ResolveNode']) | (Schemas['CloseNode']) | (Schemas['AssignNode']) | (Schemas['TagNode']) | (Schemas['SetFieldNode']) | (Schemas['SetDeadlineNode']) | (Schemas['CommentNode']) | (Schemas['EmailNode']) | (Schemas['NotifyReporterNode']) | (Schemas['StatementOfReasonsNode']) | (Schemas['MitigateNode']) | (Schemas['LookupNode']) | (Schemas['ApiCallerNode']) | (Schemas['WebhookNode']) | (Schemas['VerifyNode']) | (Schemas['EndNode']) | (Schemas['DividerNode'])
  PlaybookPage: {
    /** The entries. */
    items: readonly (Schemas['Playbook'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  PlaybookTemplate: {
    /** Import it by this name. */
    name: string
    /** The name that the playbook gets. */
    title: string
    /** What it is for. */
    description: string
    /** The number of nodes. */
    node_count: number
    /** Secrets that it names; set them before it runs. */
    secrets: readonly (string)[]
    /** Templates of notices that it names. */
    templates: readonly (string)[]
  }
  PlaybookTemplateList: {
    /** The entries. */
    items: readonly (Schemas['PlaybookTemplate'])[]
    /** All of them are on one page. */
    next_cursor: ''
  }
  PlaybookTrigger: {
    /**
     * Id of the node at which a run of the case waits; `<playbook id>/<node id>` names the playbook
     * too.
     */
    node: string
    /** Name of the path by which the node is left. */
    path: string
  }
  PlaybookValidation: {
    /** Whether it could be activated. */
    valid: boolean
    /** The wrong places, by JSON pointer. */
    problems: readonly (Schemas['ProblemLocation'])[]
    /**
     * Targets that requests of nodes would be refused for as the settings are, such as plain HTTP
     * to an address that CASEWORK_OUTBOUND_ALLOW opens by its range only.
     */
    warnings: readonly (Schemas['ProblemLocation'])[]
  }
  PlaybookVersion: {
    /** Its version, raised by each change. */
    version: number
    /** Its state. */
    state: Schemas['PlaybookVersionState']
    /** When it was made. */
    created_at: string
    /** When it became the active version. */
    activated_at?: string
  }
  PlaybookVersionDetail: {
    /** Its id. */
    id: string
    /** Its version, raised by each change. */
    version: number
    /** Its state. */
    state: Schemas['PlaybookVersionState']
    /** When it was made. */
    created_at: string
    /** When it became the active version. */
    activated_at?: string
    /** What this version is for. */
    description?: string
    /** The nodes of the graph. */
    nodes: readonly (Schemas['PlaybookNode'])[]
  }
  PlaybookVersionState: 'draft' | 'active' | 'draining' | 'inactive'
  PlaybookVersionStatus: {
    /** Its id. */
    id: string
    /** Its version, raised by each change. */
    version: number
    /** Its state. */
    state: Schemas['PlaybookVersionState']
  }
  PrivacyExport: {
    /** The entries. */
    items: readonly (Schemas['PrivacyExportItem'])[]
    /**
     * Ids of reports whose bytes were too costly to search: they may contain the address or the
     * name. Absent when there are none.
     */
    unsearched_reports?: readonly (string)[]
    /**
     * Send it with the same address and name for the next part; empty at the end. A part without
     * items may be followed by a part with items.
     */
    next_cursor: string
  }
  PrivacyExportItem: {
    /** The table of the row: event, case_comment, report_raw … */
    table: string
    /** The members that contain the address or the name. */
    found_in: readonly (string)[]
    /**
     * The row; its lists leave out addresses of other people. For settings, only the members that
     * were found. For a raw report, its bytes in base64.
     */
    record: Readonly<Record<string, unknown>>
  }
  PrivacyExportRequest: {
    /** The e-mail address. */
    address: string
    /** A name: rows that contain it are exported too, in upper or lower case. */
    name?: string
    /** `next_cursor` of the part before. */
    cursor?: string
  }
  Problem: {
    /** Always about:blank; `code` tells problems apart. */
    type: string
    /** The name of the HTTP status. */
    title: string
    /** Repeats the HTTP status. */
    status: number
    /** The reason and the remedy, in one sentence. */
    detail: string
    /** Stable; listed in docs/reference/errors.md. */
    code: string
    /** The wrong places, by JSON pointer. */
    errors?: readonly (Schemas['ProblemLocation'])[]
    /** As in X-Request-Id; the log has the request under it. */
    request_id: string
  }
  ProblemLocation: {
    /** A JSON pointer to the place. */
    path: string
    /** What is wrong there. */
    reason: string
    /** Of a playbook: the id of the node. */
    node?: string
    /** Of a playbook: the field below the node, such as config/text. */
    field?: string
    /** Of a text that was sent, such as YAML. */
    line?: number
  }
  ProviderInvitation: {
    /** The whole link of the invitation, or what stands behind its `#`. */
    link: string
  }
  ProviderUrl: {
    /** Where the browser goes next. */
    url: string
  }
  PushResult: {
    /** Number of accepted rows, including rows that were known already. */
    accepted: number
    /** What was not taken, each with the reason. */
    rejected: readonly ({
      /** Position of the row, counting from 0. */
      index: number
      /** The reason. */
      reason: string
    })[]
  }
  PushResultAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['PushResult']
  }
  PushedEvent: {
    /** The event. */
    event_id: string
    /** The case. */
    case_id?: string
    /** What became of it. */
    outcome: Schemas['EventOutcome']
    /** How often exactly this event has arrived. */
    seen_count?: number
    /** When it last arrived. */
    last_seen?: string
  }
  PushedEventEntry: {
    /** The position in what was sent, from 0. */
    index: number
    /** What became of it. */
    outcome: 'created' | 'duplicate' | 'unassigned' | 'held' | 'muted' | 'invalid'
    /** The event. */
    event_id?: string
    /** The case. */
    case_id?: string
    /** How often exactly this event has arrived. */
    seen_count?: number
    /** When it last arrived. */
    last_seen?: string
    /** What to correct. */
    error?: string
  }
  PushedEvents: {
    /** The entries. */
    items: readonly (Schemas['PushedEventEntry'])[]
  }
  QueuedDelivery: {
    /** The delivery. */
    delivery_id: string
  }
  QuickCheckAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: readonly ((Schemas['QuickCheckItem']) | (Schemas['UnreadItem']))[]
  }
  QuickCheckItem: {
    /** The text as it was sent. */
    item: string
    serviceMailBlocklist: Schemas['MailBlocklistStatus']
    /** Whether the item is an address or a domain. */
    type: 'IP' | 'DOMAIN'
    /**
     * The item cannot be a party on the public Internet: a special-purpose address, or a
     * special-use name such as example.com (RFC 6761).
     */
    bogon: boolean
    /** What is to be thought of who has it. */
    intent: Schemas['ItemIntent']
    /** The item was sighted within the look-back (30 days unless set). */
    activity: boolean
  }
  RangeContents: {
    /** In canonical form. */
    range: string
    /** Serial of the change log up to which the answer is complete. */
    serial: number
    /** Number of known addresses inside the range. */
    addresses: number
    /** Number of known ranges inside the range. */
    ranges: number
    /** Number of them with a live entry of the kind. */
    kinds: {
      /** Entries of lists. */
      listing: number
      /** Entries of lists of what is allowed. */
      allowance: number
      /** Entries that give a tag. */
      tagging: number
      /** Entries of what was seen. */
      sighting: number
    }
    /** Live tags, each with the number of items that carry it; at most 100, most first. */
    tags: readonly ({
      /** Its name. */
      name: string
      /** How many there are. */
      count: number
    })[]
    /** Sources, each with the number of items it has a live entry of; at most 100, most first. */
    sources: readonly ({
      /** Its name. */
      name: string
      /** Its kind. */
      kind: string
      /** How many there are. */
      count: number
    })[]
    /** Wider ranges around this one, the widest first. Their entries count here too. */
    coveredBy: readonly (Schemas['RangeItem'])[]
    /**
     * In the order of addresses, a range before the items inside it. Each with its own entries
     * only.
     */
    items: readonly (Schemas['RangeItem'])[]
    /** The after of the next page; empty on the last one. */
    next: string
  }
  RangeContentsAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['RangeContents']
  }
  RangeItem: {
    /** Address or range (CIDR) in canonical form. */
    item: string
    serviceMailBlocklist: Schemas['MailBlocklistStatus']
    /** What is to be thought of who has it. */
    intent: Schemas['ItemIntent']
    /** Sighted within the look-back. */
    activity: boolean
    /** Tags. */
    tags: readonly (string)[]
    /** When it was first seen. */
    firstSeen?: string
    /** When it was last seen. */
    lastSeen?: string
  }
  ReadReport: {
    /** The report. */
    report_id: string
    state: Schemas['ReportState']
    /** True when no event of it was stored. */
    rejected: boolean
    /** The reason. */
    reason?: string
    /** Every rule of its format that the report breaks, with the JSON pointer of the place. */
    problems?: readonly ({
      /** The name of a way out of a node. */
      path: string
      /** The reason. */
      reason: string
    })[]
    /** How it was read; dry runs only. */
    format?: string
    /** The rule by which no event was made of it; dry runs only. */
    decided_by?: {
      /** The name of the rule that decided, as the reference of reading rules lists it. */
      rule?: string
      /**
       * The words of the report by which the rule decided; untrusted text of a stranger, perhaps in
       * lower case.
       */
      words?: string
    }
    /** The events. */
    events: readonly (Schemas['ReportedEvent'])[]
    /** What did not become part of an event, and why; dry runs only. */
    passed_over?: readonly (Schemas['ReportFinding'])[]
  }
  Readiness: {
    /** Whether this node may get requests. */
    status: 'ready' | 'degraded' | 'not_ready'
    /** Left out where CASEWORK_OPS_PORT gives monitoring a listener of its own. */
    checks?: readonly ({
      /** Its name. */
      name: string
      /** Its state. */
      state: 'ok' | 'off' | 'degraded' | 'failed'
      /** More about it, for people. */
      detail: string
    })[]
  }
  ReadingEvent: {
    /** The stored event; left out when there is none. */
    event_id?: string
    /** The type of event, such as LoginAttack. */
    event_type: string
    /** When it happened. */
    event_date: string
    /** An IP address. */
    ip?: string
    /** A domain. */
    domain?: string
    /** The address of the reporter. */
    sender_email: string
    /** Where each value comes from. */
    findings: readonly (Schemas['LocatedFinding'])[]
  }
  ReassignedEvent: {
    /** The event. */
    event_id: string
    /** What became of it. */
    outcome: 'reassigned' | 'unchanged' | 'unassigned'
    /** The customer. */
    customer_id?: string
    /** The contract of the customer. */
    contract_id?: string
    /** The case. */
    case_id?: string
  }
  RecoveryCodes: {
    /** Ten recovery codes, each good once, shown this once. */
    recovery_codes: readonly (string)[]
  }
  RelayTest: {
    /** Whether the relay took the mail. */
    ok: boolean
    /** In their order. */
    steps: readonly ({
      /** What was tried. */
      step: 'dns' | 'connect' | 'tls' | 'login' | 'sender' | 'recipient' | 'content'
      /** `off`: not used by these settings, or not reached. */
      state: 'ok' | 'failed' | 'off'
      /** One sentence; of a failure, what the relay said. */
      detail: string
    })[]
  }
  ReplacementResult: {
    /** Number of accepted rows, including rows that were known already. */
    accepted: number
    /** Number of former entries that the new list lacks. */
    removed: number
    /** What was not taken, each with the reason. */
    rejected: readonly ({
      /** Position of the row, counting from 0. */
      index: number
      /** The reason. */
      reason: string
    })[]
  }
  ReplacementResultAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['ReplacementResult']
  }
  Report: {
    /** The report. */
    report_id: string
    state: Schemas['ReportState']
    /** True when no event of it was stored. */
    rejected: boolean
    /** The reason. */
    reason?: string
    /** When it arrived. */
    received_at: string
    /** Its media type. */
    media_type: string
    /** Its bytes have been removed; left out while they are kept. */
    raw_removed?: boolean
    /** Its length in bytes. */
    byte_length: number
    /** SHA-256 of its bytes, in hexadecimal digits. */
    sha256: string
    /** How it was read, such as xarf_v4. */
    format?: string
    /** The id that the reporter gave the report. */
    reporter_report_id?: string
    /** The number of events. */
    event_count: number
    /**
     * E-mail address of who reports: of its first event, else of the envelope, else of who handed
     * it in.
     */
    reporter?: string
    /** What it reports first; only with `expand=first_event` of the list. */
    first_event?: {
      /** The type of event, such as LoginAttack. */
      event_type: string
      /** An IP address. */
      ip?: string
      /** A domain. */
      domain?: string
    }
    /** True until it was read for the first time. */
    unread?: boolean
    /** 1 as it was read; one more with each correction. */
    version: number
    via: Schemas['ReportChannel']
  }
  ReportAddress: {
    /** abuse@example.org, or *@example.org for every address of a domain. */
    address: string
    /** The tenant. */
    tenant_id: string
    /**
     * True for a trap: nobody complains to it, so every mail to it is read as spam and is itself
     * the complaint. False when left out.
     */
    trap: boolean
  }
  ReportAddressPage: {
    /** The entries. */
    items: readonly (Schemas['ReportAddress'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  /** How it came. */
  ReportChannel: 'api' | 'smtp' | 'lmtp' | 'imap' | 'import'
  ReportCorrection: {
    /** Its id. */
    id: string
    /** The version of the report that it made. */
    version: number
    /** When it happened. */
    at: string
    /** Id of the token. */
    corrected_by: string
    /** The reason. */
    reason?: string
    /** State of the report before it. */
    former_state: string
    /** The reason before. */
    former_reason?: string
    /** The members that changed, each with its former and its new value. */
    changes: readonly ({
      /** The event. */
      event_id: string
      /** Its kind. */
      kind: 'changed' | 'withdrawn' | 'added'
      before?: Schemas['EventContent']
      after?: Schemas['EventContent']
    })[]
  }
  ReportDetail: {
    /** The report. */
    report_id: string
    state: Schemas['ReportState']
    /** True when no event of it was stored. */
    rejected: boolean
    /** The reason. */
    reason?: string
    /** When it arrived. */
    received_at: string
    /** Its media type. */
    media_type: string
    /** Its bytes have been removed; left out while they are kept. */
    raw_removed?: boolean
    /** Its length in bytes. */
    byte_length: number
    /** SHA-256 of its bytes, in hexadecimal digits. */
    sha256: string
    /** How it was read, such as xarf_v4. */
    format?: string
    /** The id that the reporter gave the report. */
    reporter_report_id?: string
    /** The number of events. */
    event_count: number
    /**
     * E-mail address of who reports: of its first event, else of the envelope, else of who handed
     * it in.
     */
    reporter?: string
    /** What it reports first; only with `expand=first_event` of the list. */
    first_event?: {
      /** The type of event, such as LoginAttack. */
      event_type: string
      /** An IP address. */
      ip?: string
      /** A domain. */
      domain?: string
    }
    /** True until it was read for the first time. */
    unread?: boolean
    /** 1 as it was read; one more with each correction. */
    version: number
    via: Schemas['ReportChannel']
    /** Every rule of its format that the report breaks, with the JSON pointer of the place. */
    problems?: readonly ({
      /** The name of a way out of a node. */
      path: string
      /** The reason. */
      reason: string
    })[]
    /** The Message-ID of the mail. */
    message_id?: string
    /** What people corrected, in their order. */
    corrections?: readonly (Schemas['ReportCorrection'])[]
    envelope?: Schemas['MailEnvelope']
    authentication?: Schemas['MailAuthentication']
  }
  /** Where in the report a value was found. */
  ReportFinding: {
    /** The member of the event, as a JSON pointer. */
    field: string
    /** The value. */
    value: string
    /** The part of the report that holds it. */
    part: string
    /** Line or row of that part, from 1. */
    line?: number
    /** The text at that place. */
    excerpt: string
    /** What the value is in the report. */
    role?: string
    /** 1 is the best candidate. */
    rank?: number
    /** Why it was chosen, or why it was rejected. */
    reason: string
    /** The name of the rule that decided, as the reference of reading rules lists it. */
    rule?: string
    /**
     * The words of the report by which the rule decided; untrusted text of a stranger, perhaps in
     * lower case.
     */
    words?: string
  }
  ReportPage: {
    /** The entries. */
    items: readonly (Schemas['Report'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  ReportReading: {
    /** The report. */
    report_id: string
    /** What the reader of today makes of the bytes. */
    verdict: 'report' | 'invalid' | 'no_report' | 'unreadable'
    /** Why no event was made of it. */
    reason?: string
    /** How it was read. */
    format?: string
    /** The rule by which no event was made of it. */
    decided_by?: {
      /** The name of the rule that decided, as the reference of reading rules lists it. */
      rule?: string
      /**
       * The words of the report by which the rule decided; untrusted text of a stranger, perhaps in
       * lower case.
       */
      words?: string
    }
    /** Of the mail, decoded; empty for what is no mail. */
    headers: readonly ({
      /** Its name. */
      name: string
      /** The value. */
      value: string
    })[]
    /** Plain text; of HTML what a person would read. Written by a stranger. */
    texts: readonly ({
      /** As findings name it. */
      part: string
      /** Without their ends. */
      lines: readonly (string)[]
      /** There is more of it. */
      cut: boolean
    })[]
    /** Attached files and enclosed mails. */
    attachments: readonly ({
      /** Position in the mail, such as 1.2. */
      path: string
      /** Its media type. */
      media_type: string
      /** The name of the file. */
      file_name?: string
      /** Its length in bytes. */
      byte_length: number
    })[]
    /** At most 100. */
    events: readonly (Schemas['ReadingEvent'])[]
    /** What did not become part of an event, and why. */
    passed_over: readonly (Schemas['LocatedFinding'])[]
  }
  /**
   * accepted: its events are stored. rejected: its format is known, but the report breaks its
   * rules. quarantined: it could not be read. All are kept.
   */
  ReportState: 'accepted' | 'rejected' | 'quarantined'
  ReportedEvent: {
    /** When the event was created. */
    create_date: string
    /** Unique event identifier. */
    event_id: string
    /** E-mail of the report sender. */
    sender_email: string
    /** Associated case. */
    case_id?: string
    /** Whether the event has been resolved. */
    resolved?: boolean
    /** Time of the event. */
    event_date: string
    /** Type of event, such as LoginAttack. */
    event_type: string
    /** The contract of the customer. */
    contract_id?: string
    /** The customer. */
    customer_id?: string
    /** Domain associated with the event. */
    domain?: string
    /** Additional details; `url` is the reported URL, `urls` are further ones. */
    event_details?: Readonly<Record<string, unknown>>
    /** Finer words for the type. */
    event_subtypes?: readonly (string)[]
    /** IP address associated with the event. */
    ip?: string
    /** The address that the reported mail went to. */
    recipient_email?: string
    /** Tags. */
    tags?: readonly (string)[]
    /** The tenant. */
    tenant_id?: string
    /** Category of XARF version 4. */
    xarf_class?: string
    /** What became of it. */
    outcome: Schemas['EventOutcome']
    /** How often exactly this event has arrived. */
    seen_count?: number
    /** When it last arrived. */
    last_seen?: string
    /** Dry runs only. */
    findings?: readonly (Schemas['ReportFinding'])[]
  }
  Resolution: 'handled' | 'fixed' | 'mitigated' | 'suspended' | 'notified' | 'quiet'
  /** Resolves the case and ends the run. */
  ResolveNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'resolve'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config?: {
      /** How a resolved case was settled; handled when left out. */
      resolution?: 'handled' | 'fixed' | 'mitigated' | 'suspended' | 'notified' | 'quiet'
    }
    paths?: Schemas['NodePaths']
  }
  Resource: {
    /** Its id. */
    id: string
    /** Its kind. */
    kind: Schemas['ResourceKind']
    /**
     * An address, a CIDR block or first-last; a domain, which includes the names below it; or an
     * account as events name it.
     */
    value: string
    /** The customer. */
    customer_id: string
    /** The contract of the customer. */
    contract_id?: string
    /** Valid from this time on; without a start when absent. */
    valid_from?: string
    /** Valid before this time; without an end when absent. */
    valid_until?: string
    /** Raised by every change; send it with PATCH. */
    version: number
    /** When it was made. */
    created_at: string
    /** When it was last changed. */
    updated_at: string
  }
  ResourceKind: 'ip_range' | 'domain' | 'account'
  ResourcePage: {
    /** The entries. */
    items: readonly (Schemas['Resource'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  ResourcePatch: {
    /** The version you decided on, or send If-Match. */
    version?: number
    /** The customer. */
    customer_id?: string
    /** The contract of the customer. */
    contract_id?: (string) | (null)
    /** Valid from this time on; without a start when absent. */
    valid_from?: (string) | (null)
    /** Valid before this time; without an end when absent. */
    valid_until?: (string) | (null)
  }
  Retention: {
    settings: Schemas['RetentionSettings']
    /** The rows that would be removed now, each count up to counted_up_to. */
    due: {
      /** Reports in their raw form. */
      raw_reports: number
      /** The size of these reports; equal bytes are stored once. */
      raw_bytes: number
      /** Events that are past their time. */
      events: number
      /** Records of reports. */
      reports: number
      /** Records of what was done. */
      audit: number
      /** Their events are counted under `events` only if they are due by age. */
      cases: number
    }
    /** Counting ends at this number. */
    counted_up_to: number
    /** Cases on legal hold, with the cases that they are merged with. None of their data is due. */
    held_cases: number
  }
  /** What is left out is kept for ever. */
  RetentionSettings: {
    /** Bytes of reports, from their arrival. */
    raw_report_days?: number
    /** Events that are in no open case, and the records of reports, from their arrival. */
    event_days?: number
    /** Ended cases with everything on them, from their end. */
    case_days?: number
    /**
     * The history of case groups and mute rules, and legal holds that were lifted, from then on.
     */
    audit_days?: number
  }
  Role: {
    /** Its name. */
    name: string
    /** Who gets it. */
    description: string
    /** What it allows. */
    scopes: readonly (string)[]
    /** It comes with the program, is the same for all tenants and cannot be changed. */
    is_shipped: boolean
    /** Null for a shipped role. */
    created_at: (string) | (null)
    /** Null for a shipped role. */
    changed_at: (string) | (null)
  }
  RolePage: {
    /** The entries. */
    items: readonly (Schemas['Role'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  RolePatch: {
    /** Who gets it. */
    description?: string
    /** What it allows; none that you lack. */
    scopes?: readonly (string)[]
  }
  RuleHistoryEntry: {
    /** Its id. */
    id: string
    /** When it happened. */
    at: string
    /** Its kind. */
    kind: 'create' | 'change' | 'delete' | 'end'
    /** Id of the user or token. */
    actor: string
    /** The name of the user or token; `former user` once the person is gone. */
    actor_name?: string
    /** By member: `{from, to}`; null stands for no value. */
    changes: Readonly<Record<string, unknown>>
  }
  RuleHistoryEntryPage: {
    /** The entries. */
    items: readonly (Schemas['RuleHistoryEntry'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  RuleTrial: {
    /** How many there are of each. */
    counts: {
      /** Events that were tried. */
      events: number
      /** Events that the drafted rule would take. */
      matched: number
      /** Cases that would open. */
      opened: number
      /** Events that would be in a case without opening it. */
      joined: number
      /** Events that would stay below a threshold. */
      held: number
      /** Events that a mute rule would keep out. */
      muted: number
      /** Events without an owner. */
      unassigned: number
      /** Events whose outcome differs from that with the rules of today. */
      different: number
      /** Conditions, of any rule, that failed for an event and did not match. */
      failed: number
      /** Those of them that took too much work. */
      exceeded: number
    }
    /** The events that match or differ, the newest first. */
    items: readonly (Schemas['RuleTrialItem'])[]
  }
  RuleTrialItem: {
    /** Id of the event. */
    event_id: string
    /** When it happened. */
    event_date: string
    /** Its type. */
    event_type: string
    /** The drafted rule would take it. */
    matched: boolean
    /** The outcome differs from that of the same trial with the rules of today. */
    different: boolean
    /** What became of it, people’s work included. */
    today: Schemas['RuleTrialOutcome']
    /** What the rules would make of it. */
    trial: Schemas['RuleTrialOutcome']
  }
  RuleTrialOutcome: {
    /**
     * `case`: in a case. `held`: below the threshold of its group. `muted`: a mute rule keeps it
     * out. `unassigned`: it has no owner, so no rule is asked.
     */
    outcome: 'case' | 'held' | 'muted' | 'unassigned'
    /** Id of the case group. */
    case_group?: string
    /** The case; in a trial only one from before the events. */
    case_id?: string
    /** The number of a case that the trial would open, from 1. */
    new_case?: number
    /** Id of the mute rule; `draft` for the drafted one. */
    mute_rule?: string
  }
  /** Either `case_group` or `mute_rule`. */
  RuleTrialRequest: {
    /** The group that the case belongs to. */
    case_group?: Schemas['DraftCaseGroup']
    mute_rule?: Schemas['DraftMuteRule']
    /** How many of the newest events are tried; 1000 when left out. */
    limit?: number
  }
  Run: {
    /** The run. */
    run_id: string
    /** The playbook. */
    playbook_id: string
    /** The name of the playbook. */
    playbook_name: string
    /** Its version, raised by each change. */
    version: number
    /** Its state. */
    state: Schemas['RunState']
    /** The node at which the run is, or failed; absent when it has ended. */
    node?: string
    /** Why a failed run needs a person, as one stable word. */
    failure?: string
    /** Since when it has ended or failed, is paused, or is at its node. */
    since: string
    /**
     * Whom or what it waits for: agent, customer, reporter, third_party or timer. Absent for nobody
     * in particular.
     */
    waits_for?: string
    /** When a wait of it ends by itself. */
    next_timer_at?: string
    /** When it began. */
    started_at: string
    /** Who or what began it, such as `token:<id>`; absent for the intake of a new case. */
    started_by?: string
    /** The run that has started it and waits for its end. */
    parent_run_id?: string
    /** When it ended. */
    ended_at?: string
  }
  RunAttempt: {
    /** The number of the token in its run. */
    token: number
    /** The number of the passage of this token, from 1. */
    visit: number
    /** The id of a node. */
    node: string
    /** Of this visit, from 1. */
    attempt: number
    /** When it began. */
    started_at: string
    /** When it ended. */
    ended_at?: string
    /**
     * Absent while the call is under way. interrupted: the process ended before it knew; the next
     * attempt sends the same key.
     */
    outcome?: 'done' | 'refused' | 'over' | 'retry' | 'interrupted'
    /** What the other side said. */
    detail?: Readonly<Record<string, unknown>>
  }
  RunDetail: {
    /** The run. */
    run_id: string
    /** The playbook. */
    playbook_id: string
    /** The name of the playbook. */
    playbook_name: string
    /** Its version, raised by each change. */
    version: number
    /** Its state. */
    state: Schemas['RunState']
    /** The node at which the run is, or failed; absent when it has ended. */
    node?: string
    /** Why a failed run needs a person, as one stable word. */
    failure?: string
    /** Since when it has ended or failed, is paused, or is at its node. */
    since: string
    /**
     * Whom or what it waits for: agent, customer, reporter, third_party or timer. Absent for nobody
     * in particular.
     */
    waits_for?: string
    /** When a wait of it ends by itself. */
    next_timer_at?: string
    /** When it began. */
    started_at: string
    /** Who or what began it, such as `token:<id>`; absent for the intake of a new case. */
    started_by?: string
    /** The run that has started it and waits for its end. */
    parent_run_id?: string
    /** When it ended. */
    ended_at?: string
    /** The case. */
    case_id: string
    /** Absent for a case that was removed. */
    case_group?: string
    /** Those that have not ended, at most 1,000. */
    tokens: readonly (Schemas['RunToken'])[]
    /** The newest 1,000 passages through nodes. */
    visits: readonly (Schemas['RunVisit'])[]
    /** Calls of other systems by its nodes, the newest 1,000, the oldest of them first. */
    attempts: readonly (Schemas['RunAttempt'])[]
  }
  RunMigration: {
    /** The version to which they go: the active one, or one that drains. */
    version: number
    /**
     * The new node for each old one. A node that is left out must be there with the same id and
     * kind.
     */
    nodes?: Readonly<Record<string, string>>
    /** True: says what would happen, and changes nothing. */
    preview?: boolean
    /** Kept in the history of the case. */
    reason?: string
  }
  RunMigrations: {
    /** The version to which they go: the active one, or one that drains. */
    version: number
    /**
     * The new node for each old one. A node that is left out must be there with the same id and
     * kind.
     */
    nodes?: Readonly<Record<string, string>>
    /** True: says what would happen, and changes nothing. */
    preview?: boolean
    /** Kept in the history of the case. */
    reason?: string
    /** As `next` of the answer before; absent for the first. */
    after?: string
  }
  RunOfCase: {
    /** The run. */
    run_id: string
    /** The playbook. */
    playbook_id: string
    /** The name of the playbook. */
    playbook_name: string
    /** Its version, raised by each change. */
    version: number
    /** Its state. */
    state: Schemas['RunState']
    /** The node at which the run is, or failed; absent when it has ended. */
    node?: string
    /** Why a failed run needs a person, as one stable word. */
    failure?: string
    /** Since when it has ended or failed, is paused, or is at its node. */
    since: string
    /**
     * Whom or what it waits for: agent, customer, reporter, third_party or timer. Absent for nobody
     * in particular.
     */
    waits_for?: string
    /** When a wait of it ends by itself. */
    next_timer_at?: string
    /** When it began. */
    started_at: string
    /** Who or what began it, such as `token:<id>`; absent for the intake of a new case. */
    started_by?: string
    /** The run that has started it and waits for its end. */
    parent_run_id?: string
    /** When it ended. */
    ended_at?: string
    /** The case. */
    case_id: string
    /** Absent for a case that was removed. */
    case_group?: string
  }
  RunOfCasePage: {
    /** The entries. */
    items: readonly (Schemas['RunOfCase'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  RunPage: {
    /** The entries. */
    items: readonly (Schemas['Run'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  RunReason: {
    /** Kept in the history of the case. */
    reason?: string
  }
  RunResumption: {
    /** Kept in the history of the case. */
    reason?: string
    /**
     * For a failed run. False, also when left out: the effect of the failed node keeps its key, so
     * a receiver that has it counts it once. True: it gets a new key and is sent anew.
     */
    resend?: boolean
  }
  RunState: 'active' | 'paused' | 'ended' | 'failed' | 'cancelled'
  RunToken: {
    /** The number of the token in its run. */
    token: number
    /**
     * ready: a worker takes it at due_at. waiting: for a trigger, a time, a change of the case,
     * other tokens or another run. paused: until the run is resumed. dead: it has failed.
     */
    state: 'ready' | 'waiting' | 'paused' | 'dead' | 'done'
    /** The id of a node. */
    node: string
    /** The number of the passage of this token, from 1. */
    visit: number
    /** The key of the effect of its node at this visit. */
    key: string
    /** When the token came to the node. */
    entered_at: string
    /** Whom or what it waits for. */
    waits_for?: string
    /** When the wait ends by itself. */
    timer_at?: string
    /** A change of the case lets its node decide again. */
    watches_case: boolean
    /** The path that was chosen, before the token takes it. */
    chosen_path?: string
    /** When it is due. */
    due_at?: string
    /** Since its last progress. */
    attempts: number
    /** The run whose end it waits for. */
    child_run?: string
    /** What earlier nodes have kept, which its node sees. */
    vars: Readonly<Record<string, unknown>>
  }
  RunVisit: {
    /** The number of the token in its run. */
    token: number
    /** Of this token, from 1. */
    visit: number
    /** The id of a node. */
    node: string
    /** Its kind. */
    kind: string
    /** The path by which the node was left; absent where the token ended. */
    path?: string
    /** `token:<id>` of the API token that chose the path; absent where no choice was needed. */
    actor?: string
    /** What the node has kept. */
    output?: Readonly<Record<string, unknown>>
    /** When the token came to the node. */
    entered_at: string
    /** When the token left the node. */
    left_at: string
  }
  SavedView: {
    /** Id of the view. */
    id: string
    /** For people. */
    name: string
    list: Schemas['ListOfView']
    /** The query parameters of the list, without a cursor: {"state": "NEW", "sort": "due_at"}. */
    query: Readonly<Record<string, (string) | (number) | (boolean)>>
    /** True: every token of the tenant sees it. False: only the token that made it. */
    shared: boolean
    /** The list with these parameters: send GET to it. */
    path: string
    /** When it was made. */
    created_at: string
    /** Id of the token that made it. */
    created_by: string
    /** When it was last changed. */
    updated_at: string
  }
  SavedViewChange: {
    /** For people. */
    name?: string
    /** The query parameters of the list, without a cursor: {"state": "NEW", "sort": "due_at"}. */
    query?: Readonly<Record<string, (string) | (number) | (boolean)>>
    /** True: every token of the tenant sees it. False: only the token that made it. */
    shared?: boolean
  }
  SavedViewPage: {
    /** The entries. */
    items: readonly (Schemas['SavedView'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  SearchItem: {
    /** Its kind. */
    kind: 'customer' | 'case' | 'report' | 'event'
    /** Of the customer, case, report or event. */
    id: string
    /** The case of an event, if it is in one. */
    case_id?: string
    /** One line for a person. */
    title: string
    /** Why it is here. The text may be of a stranger. */
    matched: {
      /** Where it was found, such as ip or comment. */
      field: string
      /** The value, or the words around it. */
      text: string
    }
    /** Of an event its date, else when it was created or received. */
    at: string
  }
  SearchResult: {
    /** The entries. */
    items: readonly (Schemas['SearchItem'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
    /** How `q` was understood, in canonical form. */
    read_as: {
      /** Its kind. */
      kind: 'case_id' | 'record_id' | 'address' | 'range' | 'domain' | 'email' | 'url' | 'words'
      /** The text. */
      text: string
    }
  }
  /** Exactly one of these. */
  SecondFactor: {
    /** Of the authenticator app. */
    code?: string
    /** One of the ten; it is used up. Case, spaces and dashes do not count. */
    recovery_code?: string
    passkey?: Schemas['PasskeyAssertion']
  }
  SecondFactorNeeded: {
    /** The second factors of the person, one of which is needed. */
    ways: readonly ('passkey' | 'totp' | 'recovery_code')[]
    /** Until when the second step is taken. */
    expires_at: string
  }
  Secret: {
    /** How playbooks refer to it. */
    name: string
    /** When its value was last set. */
    updated_at: string
  }
  SecretList: {
    /** The entries. */
    items: readonly (Schemas['Secret'])[]
    /** All secrets are on one page. */
    next_cursor: ''
  }
  ServiceAccount: {
    /** Its id. */
    id: string
    /** The tenant. */
    tenant_id: string
    /** What people read. */
    name: string
    /** Its tokens that are neither revoked nor expired. */
    live_tokens: number
    /** When it was made. */
    created_at: string
    /** When its state last changed. */
    changed_at: string
  }
  ServiceAccountPage: {
    /** The entries. */
    items: readonly (Schemas['ServiceAccount'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  ServiceAccountPatch: {
    /** What people read, such as "Mail gateway in Oslo". */
    name: string
  }
  Session: {
    /** Its id. */
    id: string
    /** The tenant. */
    tenant_id: string
    /** How the person proved who they are. */
    methods: readonly (string)[]
    /** True for the session that asks. */
    is_current: boolean
    /** The address that it was opened from. */
    address: (string) | (null)
    /** The browser that it was opened with. */
    user_agent: (string) | (null)
    /** When it was made. */
    created_at: string
    /** Noted every 30 s. */
    last_used_at: string
    /** When it ends by itself. */
    expires_at: string
  }
  SessionList: {
    /** The entries. */
    items: readonly (Schemas['Session'])[]
  }
  /** Exactly one of these. */
  SessionProof: {
    /** The password of the account. */
    password?: string
    /** Of the authenticator app. */
    code?: string
    /** It is used up. */
    recovery_code?: string
  }
  /** Sets the agreed deadline of the case (deadline_at). */
  SetDeadlineNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'set_deadline'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** Exactly one of duration, until, and business with a calendar. */
    config?: {
      /** How long from now. Seconds, or an ISO 8601 duration such as PT15M or P3DT12H. */
      duration?: (number) | (string)
      /** A moment; null takes the deadline away. Or {"cel": "…"}. */
      until?: ((string) | (null)) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Hours of opening, such as PT8H; a day is 24 of them. */
      business?: (number) | (string)
      /** The name of a calendar of the tenant (`/beta/casework/calendars`). */
      calendar?: string
    }
    paths?: Schemas['NodePaths']
  }
  /**
   * Sets severity, waiting_on, customer_status and members of the metadata of the case, to
   * constants or to what an expression gives.
   */
  SetFieldNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'set_field'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config?: {
      /** Null takes it away. Or {"cel": "…"}. */
      severity?: (('low') | ('medium') | ('high') | ('critical') | (null)) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Whose turn it is. Or {"cel": "…"}. */
      waiting_on?: ('none' | 'agent' | 'customer' | 'reporter' | 'third_party' | 'timer') | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Contact with the customer. Or {"cel": "…"}. */
      customer_status?: ('unnotified' | 'notified' | 'seen' | 'claims_fixed' | 'disputed' | 'bounced') | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Members to set, others stay; null takes one away. A value may be {"cel": "…"}. */
      metadata?: Readonly<Record<string, unknown>>
    }
    paths?: Schemas['NodePaths']
  }
  /** Moves the case to a state, by the same rules as a request of a person. */
  SetStateNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'set_state'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** The state of the case afterwards. */
      state: 'IN_PROGRESS' | 'RESOLVED' | 'CLOSED'
      /** How a resolved case was settled; handled when left out. */
      resolution?: 'handled' | 'fixed' | 'mitigated' | 'suspended' | 'notified' | 'quiet'
      /** Why a case is closed. */
      close_reason?: 'not_ours' | 'insufficient_evidence' | 'false_positive' | 'duplicate' | 'ignored_by_policy' | 'no_customer' | 'expired'
      /**
       * Of IN_PROGRESS only. True: an ended case is opened again. False, the default: the run ends
       * at an ended case.
       */
      reopen?: boolean
    }
    paths?: Schemas['NodePaths']
  }
  Severity: 'low' | 'medium' | 'high' | 'critical'
  SeverityRule: {
    /** CEL over `event`. An event for which it fails does not match. */
    condition: string
    /** How bad the case is. */
    severity: Schemas['Severity']
  }
  SightingDays: {
    /** The item or range in canonical form. */
    item: string
    /** The member of a sighting that divides the counts. */
    by: 'type' | 'kind' | 'service' | 'source'
    /** Sightings of all the days. */
    total: number
    /**
     * False for a range with more than 2,000 addresses sighted in these days: some of them are not
     * counted.
     */
    complete: boolean
    /** Every day, the earliest first. The last one is today. */
    days: readonly ({
      /** In UTC. */
      date: string
      /** Sightings of the day. */
      count: number
    })[]
    /** The values with the most sightings; at most 20, most first. */
    top: readonly ({
      /**
       * Left out for sightings without a service. The source casework stands for the reporters of
       * accepted reports.
       */
      value?: string
      /** Of the source, with by=source. */
      kind?: string
      /** Sightings with the value. */
      count: number
      /** How many of them are of each of the days. */
      days: readonly (number)[]
    })[]
  }
  SightingDaysAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['SightingDays']
  }
  SightingRule: {
    /** Its name. */
    name: string
    /** Kind of the sightings that it counts: honeypot, spamtrap, report … */
    kind: string
    /** Types of sightings; of reports, the event types. */
    types: readonly (string)[]
    /**
     * Left out: any service, also none. Of reports, `unverified` stands for reporters who are not
     * trusted, and only a rule that names it counts them.
     */
    services?: readonly (string)[]
    /** The tag is set from so many observations on. */
    countMin: number
    /** They must come from so many sources; of reports, from so many reporters. */
    sourcesMin: number
    /** Only sightings of this time count; left out, those of the look-back. */
    withinSeconds?: number
    /**
     * Tags of the catalogue. A rule of unverified reports sets none that is malicious or benign.
     */
    tags: readonly (string)[]
    /** False: it is kept and does nothing. */
    enabled: boolean
    /** shipped: as the program brings it; edited: a shipped one that somebody changed. */
    origin: 'shipped' | 'edited' | 'own'
    /** Also the ETag of the rule. */
    version: number
  }
  SightingRuleAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['SightingRule']
  }
  SightingRuleCreatedAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 201
    /** What was asked for. */
    result: Schemas['SightingRule']
  }
  SightingRuleHistory: {
    /** Its name. */
    name: string
    /** The newest first, at most 200. */
    changes: readonly ({
      /** When it happened. */
      at: string
      /** Its kind. */
      kind: 'created' | 'changed' | 'reset' | 'deleted'
      /** Id of the token. */
      actor: string
      /** How it was. */
      before: (Readonly<Record<string, unknown>>) | (null)
      /** How it is. */
      after: (Readonly<Record<string, unknown>>) | (null)
    })[]
  }
  SightingRuleHistoryAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['SightingRuleHistory']
  }
  SightingRuleList: {
    /** The rules. */
    rules: readonly (Schemas['SightingRule'])[]
  }
  SightingRuleListAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['SightingRuleList']
  }
  SightingRulePatch: {
    /** Kind of the sightings that it counts: honeypot, spamtrap, report … */
    kind?: string
    /** Types of sightings; of reports, the event types. */
    types?: readonly (string)[]
    /**
     * Left out: any service, also none. Of reports, `unverified` stands for reporters who are not
     * trusted, and only a rule that names it counts them.
     */
    services?: (readonly (string)[]) | (null)
    /** The tag is set from so many observations on. */
    countMin?: number
    /** They must come from so many sources; of reports, from so many reporters. */
    sourcesMin?: number
    /** Only sightings of this time count; left out, those of the look-back. */
    withinSeconds?: (number) | (null)
    /**
     * Tags of the catalogue. A rule of unverified reports sets none that is malicious or benign.
     */
    tags?: readonly (string)[]
    /** False: it is kept and does nothing. */
    enabled?: boolean
  }
  SignIn: {
    /** An e-mail address. */
    email: string
    /** The password; a new one has 12 to 256 characters. */
    password: string
    /** The tenant to act in; the first one of the person when left out. */
    tenant_id?: string
  }
  SignInProvider: {
    /** Its id. */
    id: string
    /** What the button says. */
    name: string
    /** Where the browser goes to sign in there. */
    start_url: string
  }
  /** How a person can sign in at the address of the request. */
  SignInWays: {
    /** By e-mail address and password. */
    password: {
      /** Whether it works at the address of the request. */
      available: boolean
      /** Why it does not work here, for people; null where it does. */
      reason: (string) | (null)
    }
    /** By a passkey, without a password. */
    passkeys: {
      /** Whether it works at the address of the request. */
      available: boolean
      /** Why it does not work here, for people; null where it does. */
      reason: (string) | (null)
    }
    /** By a mail with a link for a new password. */
    forgotten_password: {
      /** Whether it works at the address of the request. */
      available: boolean
      /** Why it does not work here, for people; null where it does. */
      reason: (string) | (null)
    }
    /** Other services (OpenID Connect) that say who a person is. */
    providers: readonly (Schemas['SignInProvider'])[]
  }
  SimulatedCase: {
    /** The case. */
    case_id: string
    /** What became of it. */
    outcome: Schemas['SimulationOutcome']
    /**
     * failed: as the `failure` of a run. stopped: too_many_visits, too_long or too_much_work.
     * skipped: locked, unknown_case, merged, no_time_left or answer_full.
     */
    reason?: string
    /** When it began. */
    started_at?: string
    /** By the clock of the simulation. */
    ended_at?: string
    /** The passages through nodes, in their order. */
    visits: readonly (Schemas['SimulatedVisit'])[]
    /** What it does to the case. */
    effects: readonly (Schemas['SimulatedEffect'])[]
    /** `{member: {from, to}}` of the case, from its begin to its end. */
    changes: Readonly<Record<string, unknown>>
    /** The nodes at which a run that goes on waits for somebody. */
    waits: readonly ({
      /** The id of a node. */
      node: string
      /** Its kind. */
      kind: string
      /** The playbook. */
      playbook_id?: string
      /** Whose turn it would be. */
      waiting_on?: string
      /** Those that may be chosen there. */
      paths: readonly (string)[]
    })[]
    /** Visits that a node could not end well, with the reason as one stable word. */
    problems: readonly ({
      /** The id of a node. */
      node: string
      /** The reason. */
      reason: string
    })[]
  }
  SimulatedEffect: {
    /** As of an entry of the history of a case. */
    kind: string
    /** The id of a node. */
    node: string
    /** When it happened. */
    at: string
    /** The state before. */
    from_state?: string
    /** The state after. */
    to_state?: string
    /** The reason. */
    reason?: string
    /** The members that changed, each with its former and its new value. */
    changes?: Readonly<Record<string, unknown>>
    /** Of a comment. */
    text?: string
    /** As it would be sent: purpose, party, recipient, language, subject, text, state. */
    notice?: Readonly<Record<string, unknown>>
    /**
     * As it would be asked for: kind, target_type, target, port, adapter, duration_seconds,
     * parameters, note.
     */
    mitigation?: Readonly<Record<string, unknown>>
  }
  SimulatedVisit: {
    /** The id of a node. */
    node: string
    /** Its kind. */
    kind: string
    /** The path by which the node was left; absent where a token ended. */
    path?: string
    /** 1, or that of a branch of a fork. */
    token: number
    /** Of a sub_playbook; absent for the one that is simulated. */
    playbook_id?: string
    /** By the clock of the simulation, which goes on from timer to timer. */
    entered_at: string
    /** When the token left the node. */
    left_at: string
    /**
     * As of a run. For a call, `assumed` is the path that was taken, and `request` what would have
     * been sent, without secrets.
     */
    output?: Readonly<Record<string, unknown>>
  }
  Simulation: {
    /** True when each case was taken as a new one. */
    as_new: boolean
    /** How long it took, in milliseconds. */
    duration_ms: number
    /** All cases together. */
    summary: Schemas['SimulationSummary']
    /** In the order of `case_ids`, or the newest first. */
    cases: readonly (Schemas['SimulatedCase'])[]
  }
  SimulationOutcome: 'ended' | 'waiting' | 'failed' | 'stopped' | 'skipped'
  SimulationRequest: {
    /** The cases; or `last` of them. */
    case_ids?: readonly (string)[]
    /** So many of the newest cases; 10 when neither is given. */
    last?: number
    /** With `last`: the cases of this group only. */
    case_group?: string
    /**
     * The case is worked as when it was opened, and the clock of the simulation begins then. Events
     * that came later are there. false: as it is now, from now on.
     */
    as_new?: boolean
    /**
     * By node, the path that a call comes back by, or that somebody chooses at a trigger or manual
     * node; with `vars` that it brings. A list is for one visit after the other. Without one a call
     * succeeds, and a run waits at the node. `<playbook id>/<node id>` names a node of another
     * playbook.
     */
    assume?: Readonly<Record<string, ((string) | ({
      /** The name of a way out of a node. */
      path: string
      /** What earlier nodes have kept, by the id of the node. */
      vars?: Readonly<Record<string, unknown>>
    })) | (readonly ((string) | ({
      /** The name of a way out of a node. */
      path: string
      /** What earlier nodes have kept, by the id of the node. */
      vars?: Readonly<Record<string, unknown>>
    }))[])>>
  }
  SimulationSummary: {
    /** The number of cases. */
    cases: number
    /** How runs end. */
    outcomes: readonly ({
      /** What became of it. */
      outcome: Schemas['SimulationOutcome']
      /** The reason. */
      reason?: string
      /** The number of cases. */
      cases: number
    })[]
    /** Which paths were taken, in how many cases, in the order of the first visit. */
    paths: readonly ({
      /** The id of a node. */
      node: string
      /** The number of cases. */
      cases: number
      /** Its kind. */
      kind: string
      /** The name of a way out of a node. */
      path?: string
      /** The playbook. */
      playbook_id?: string
      /** How often. */
      visits: number
    })[]
    /** Where it waits for somebody. */
    waits: readonly ({
      /** The id of a node. */
      node: string
      /** The number of cases. */
      cases: number
    })[]
    /** What it does to the case. */
    effects: readonly ({
      /** The id of a node. */
      node: string
      /** The number of cases. */
      cases: number
      /** Its kind. */
      kind: string
      /** How many there are. */
      count: number
    })[]
    /** What is wrong. */
    problems: readonly ({
      /** The id of a node. */
      node: string
      /** The number of cases. */
      cases: number
      /** The reason. */
      reason: string
    })[]
  }
  Source: {
    /** Such as mail-blocklist, tag-list, allow-list, honeypot. */
    kind: string
    /** Its name. */
    name: string
    state: Schemas['SourceState']
    /** Number of addresses, ranges and domains with a live entry of the source. */
    entries: number
    /** Time of its last accepted data, to ten seconds. */
    heardAt?: string
    /** A serial of the change log that includes everything received until heardAt. */
    serial?: number
    /** When it was made. */
    createdAt: string
    /** What it is for. */
    description?: string
    /** Publisher, and where the list can be read. */
    origin?: string
    /** Its terms of use. */
    licence?: string
    /**
     * The source becomes stale when it was not heard of for this long. Left out: it never becomes
     * stale.
     */
    ttlSeconds?: number
    /** How the list is fetched; absent for a source that is pushed. */
    fetch?: {
      /** Its server alone for a caller without sources:manage. */
      url: string
      /**
       * plain: an address, range or domain a line; rbldnsd: data files of that DNS server; ndjson:
       * a JSON object a line with cidr, ip, address or domain.
       */
      format: 'plain' | 'rbldnsd' | 'ndjson'
      /** Its name. */
      name: string
      /** The time between two fetches, in seconds. */
      intervalSeconds: number
      /** False: fetched on request only. */
      enabled: boolean
      /** When it was last tried. */
      triedAt?: string
      /** When it is tried next. */
      nextAt?: string
      /** Why the last fetch failed. */
      trouble?: string
      /** The list is being fetched at present. */
      running?: true
    }
  }
  SourceAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['Source']
  }
  SourceCreatedAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 201
    /** What was asked for. */
    result: Schemas['Source']
  }
  SourceEntry: {
    /** Address, range or domain in canonical form. */
    item: string
    /** Of a mail-blocklist or allow-list. */
    list?: string
    /** Of a tag-list. */
    tag?: string
    /** The reason. */
    reason?: string
    /** What a sensor observed. */
    type?: string
    /** Of a sensor that named one. */
    service?: string
    /** Number of observations of a sensor. */
    count?: number
    /** Abuse contact, of a source of contacts. */
    email?: string
    /** When it was first seen. */
    firstSeen?: string
    /** When it was last seen. */
    lastSeen?: string
    /** When it stops counting; absent for never. */
    expires?: string
  }
  SourceEntryList: {
    /** In the order of the text of the items. */
    entries: readonly (Schemas['SourceEntry'])[]
    /** The after of the next page; empty on the last one. */
    next: string
  }
  SourceEntryListAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['SourceEntryList']
  }
  SourceFetch: {
    /** What became of it. */
    outcome: 'replaced' | 'unchanged' | 'failed' | 'running'
    /** Number of entries of the list. */
    accepted?: number
    /** Number of former entries that the new list lacks. */
    removed?: number
    /** Number of lines that cannot be read. */
    refused?: number
    /** The first line that cannot be read, and why. */
    firstRefusal?: string
    /** Why the fetch failed. */
    trouble?: string
  }
  SourceFetchAcceptedAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 202
    /** What was asked for. */
    result: Schemas['SourceFetch']
  }
  SourceFetchAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['SourceFetch']
  }
  SourceHistory: {
    /** The first day asked about, in UTC. */
    from: string
    /** The last day, which is today. */
    to: string
    /**
     * Days with a sync, the earliest first; between them the entries stay. The first one may be
     * before `from`: its entries are those of `from`.
     */
    days: readonly ({
      /** In UTC. */
      date: string
      /** Entries of the list after the last sync of the day. */
      entries: number
      /** Entries that the syncs of the day added. */
      added: number
      /** Entries that the syncs of the day removed. */
      removed: number
      /** Replacements of the list on the day. */
      syncs: number
    })[]
  }
  SourceHistoryAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['SourceHistory']
  }
  SourceListAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: readonly (Schemas['Source'])[]
  }
  /**
   * never: nothing was ever received; failed: the last fetch failed; stale: not heard of within its
   * time to live; else fresh. The state never changes a verdict: entries count until they expire or
   * are withdrawn.
   */
  SourceState: 'fresh' | 'stale' | 'failed' | 'never'
  SpamtrapObservation: {
    /** When it was first seen. */
    firstSeen: string
    /** When it was last seen. */
    lastSeen: string
    /** What it sent. */
    type: string
  }
  /**
   * The node at which every run begins, with what begins one. A playbook has exactly one, and a
   * case at most one run of it at a time.
   */
  StartNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'start'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config?: {
      /**
       * What begins a run on a case of the groups that name this playbook; case_created when left
       * out. An empty list: only a caller or another playbook begins one. What playbooks write
       * themselves begins none.
       */
      on?: readonly (({
        /** What begins the run. */
        event: 'case_created'
      }) | ({
        /** What begins the run. */
        event: 'event_added'
        /**
         * The run begins when no further event has come for this time, at most a day. Seconds, or
         * an ISO 8601 duration such as PT15M or P3DT12H.
         */
        debounce?: (number) | (string)
      }) | ({
        /** What begins the run. */
        event: 'state_changed'
        /** The new states; any when left out. */
        to?: readonly ('NEW' | 'IN_PROGRESS' | 'RESOLVED' | 'CLOSED')[]
      }) | ({
        /** What begins the run. */
        event: 'schedule'
        /**
         * How often, at least 15 minutes. Seconds, or an ISO 8601 duration such as PT15M or
         * P3DT12H.
         */
        every?: (number) | (string)
        /**
         * Instead of every: minute, hour, day of the month, month and day of the week, such as 0 8
         * * * 1-5.
         */
        cron?: string
        /** Of cron. */
        time_zone?: string
        /** A condition as of true_false, over the facts of the case; vars are empty. */
        where?: string
      }))[]
    }
    paths?: Schemas['NodePaths']
  }
  StartedRun: {
    /** The run. */
    run_id: string
  }
  StateCounts: {
    /** Cases that nobody has looked at yet. */
    NEW: number
    /** Cases that are worked on. */
    IN_PROGRESS: number
    /** Cases that ended well. */
    RESOLVED: number
    /** Cases that ended otherwise. */
    CLOSED: number
  }
  /**
   * Sends the customer a statement of reasons for a restriction (Digital Services Act, article 17):
   * the restriction, facts, ground, use of automated means, and redress.
   */
  StatementOfReasonsNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'statement_of_reasons'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** Point a: what was restricted, and how. Or {"cel": "…"}. */
      restriction: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Point a: where the restriction holds. Or {"cel": "…"}. */
      scope?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Point a: how long it holds. Or {"cel": "…"}. */
      duration?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Point b: the facts and circumstances. Or {"cel": "…"}. */
      facts: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Point b: whether somebody reported it. */
      based_on?: 'report' | 'own_investigation'
      /** Point c: whether a program found the content. Or {"cel": "…"}. */
      automated_detection: (boolean) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Point c: whether a program took the decision. Or {"cel": "…"}. */
      automated_decision: (boolean) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /**
       * legal: point d, illegal content. contractual: point e, against our terms. Or {"cel": "…"}.
       */
      ground_kind: ('legal' | 'contractual') | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Points d and e: the law or the clause, and why it applies. Or {"cel": "…"}. */
      ground: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /**
       * Point f: how to contest. When left out, the template names our examination, out-of-court
       * settlement and courts. Or {"cel": "…"}.
       */
      redress?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** `customer`, its contact, when left out. Else an address. Or {"cel": "…"}. */
      to?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** The name of a template of notices; `statement_of_reasons` when left out. */
      template?: string
      /** Which contact of the customer: abuse when left out. */
      contact_purpose?: string
      /** BCP 47, such as de. When left out, that of the contact, else English. Or {"cel": "…"}. */
      language?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Shown where the template has `text`. Or {"cel": "…"}. */
      text?: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** True: the limit of a day does not hold it back. */
      urgent?: boolean
      /** True: what the reports enclose goes along, redacted by the profile. */
      evidence?: boolean
      /** Shown where the template has `vars.<name>`. No other vars are shown. */
      vars?: Readonly<Record<string, ((string) | (number) | (boolean)) | ({
        /** An expression as in conditions. */
        cel: string
      })>>
    }
    paths?: Schemas['NodePaths']
  }
  Stats: {
    metric: Schemas['StatsMetric']
    /** From this time on. */
    from: string
    /** Before this time. */
    to: string
    /** All of them in this time. */
    total: number
    /**
     * Of cases_ended: half of the cases ended within so many seconds after their creation. Left out
     * where no case ended.
     */
    median_seconds?: number
    /** As median_seconds, for nine of ten cases. */
    p90_seconds?: number
    /** With `interval`: every interval of the time, also those without any. */
    series?: readonly (Schemas['StatsPoint'])[]
    /** With `by`: the values with the most of them, the first `limit`. */
    top?: readonly (Schemas['StatsValue'])[]
  }
  /** In UTC; a week begins on Monday. */
  StatsInterval: 'hour' | 'day' | 'week' | 'month'
  /**
   * cases_opened: cases by their creation. cases_ended: cases by their last end, those that were
   * opened again left out. events: by the time of the abuse. reports: by their arrival.
   * cases_opened when left out.
   */
  StatsMetric: 'cases_opened' | 'cases_ended' | 'events' | 'reports'
  StatsPoint: {
    /** The beginning of the interval. */
    at: string
    /** How many of them are in the interval. */
    count: number
    /**
     * Of cases_ended: half of the cases ended within so many seconds after their creation. Left out
     * where no case ended.
     */
    median_seconds?: number
    /** As median_seconds, for nine of ten cases. */
    p90_seconds?: number
  }
  StatsValue: {
    /** Left out for those without a value. */
    value?: string
    /** How many of them have the value. */
    count: number
    /** With `interval` too: how many of them are in each interval of `series`. */
    series?: readonly (number)[]
  }
  /**
   * Runs the active version of another playbook on the same case, with a copy of vars, and waits
   * for its end. A child that fails or is cancelled takes the path error. Playbooks stand at most
   * five deep.
   */
  SubPlaybookNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'sub_playbook'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** Id of the playbook. A document that is imported names it. */
      playbook: string
    }
    paths?: Schemas['NodePaths']
  }
  SuppressedAddress: {
    /** An e-mail address. */
    address: string
    /** What caused it. */
    cause: 'person' | 'bounce' | 'complaint'
    /** A note for people. */
    note: string
    /** When it was made. */
    created_at: string
    /** Who made it, such as `token:<id>`. */
    created_by: string
  }
  SuppressedAddressPage: {
    /** The entries. */
    items: readonly (Schemas['SuppressedAddress'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  /**
   * Takes the path of the first condition that holds, else the path default. A condition that
   * cannot be answered takes the path error.
   */
  SwitchNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'switch'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** Asked in this order; the first that holds counts. */
      cases: readonly ({
        /** Name of the path. */
        path: string
        /** As of true_false. */
        condition: string
      })[]
    }
    paths?: Schemas['NodePaths']
  }
  Tag: {
    /** Its name. */
    name: string
    /** What is to be thought of who has it. */
    intent: 'malicious' | 'suspicious' | 'benign' | 'unknown' | 'none'
    /** Shipped tags have activity, tool, actor or none. */
    category: string
    /** What it is for. */
    description: string
    /** Pages that explain it. */
    references: readonly ({
      /** A URL. */
      url: string
      /** What it is for. */
      description: string
    })[]
    /** How it came to be what it is. */
    timeline: readonly ({
      /** ISO 8601. */
      date: string
      /** What was done. */
      action: string
      /** What it is for. */
      description: string
    })[]
  }
  TagAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['Tag']
  }
  TagCreatedAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 201
    /** What was asked for. */
    result: Schemas['Tag']
  }
  /** Adds tags to the case, and removes others. A case has at most 100. */
  TagNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'tag'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config?: {
      /** Tags that the case gets. */
      add?: readonly (string)[]
      /** Tags that the case loses. */
      remove?: readonly (string)[]
    }
    paths?: Schemas['NodePaths']
  }
  TagSummary: {
    /** Its name. */
    name: string
    /** What is to be thought of who has it. */
    intent: 'malicious' | 'suspicious' | 'benign' | 'unknown' | 'none'
    /** Shipped tags have activity, tool, actor or none. */
    category: string
    /** What it is for. */
    description: string
  }
  TagSummaryListAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: readonly (Schemas['TagSummary'])[]
  }
  TaggedItems: {
    /** The tag. */
    tag: string
    /** The entries. */
    entries: readonly (string)[]
    /** Time of the newest change that the list includes. */
    lastUpdate: string
    /** Number of entries of all pages together. */
    total: number
    /**
     * Send it with the next page: then all pages show the same moment. It begins with the serial of
     * the change log.
     */
    snapshot: string
  }
  TaggedItemsAnswer: {
    /** How it went. */
    status: 'success'
    /** Repeats the HTTP status. */
    statusCode: 200
    /** What was asked for. */
    result: Schemas['TaggedItems']
  }
  Template: {
    /** The template of a purpose is named like the purpose. */
    name: string
    /** A BCP 47 tag, such as de. */
    language: string
    purpose: Schemas['TemplatePurpose']
    profile: Schemas['TemplateProfile']
    /** The subject of the mail. */
    subject: string
    /** The text of the mail. */
    body: string
    /** False: it is kept and nothing is sent by it. */
    is_active: boolean
    /** It came with the program and was not replaced. */
    is_shipped: boolean
    /** Its version, raised by each change. */
    version?: number
    /** When it was made. */
    created_at?: string
    /** When it was last changed. */
    updated_at?: string
  }
  TemplatePage: {
    /** The entries. */
    items: readonly (Schemas['Template'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  TemplatePreview: {
    /** The subject of the mail. */
    subject: string
    /** The text. */
    text: string
  }
  /** Subject, body and profile replace those of the stored template. */
  TemplatePreviewRequest: {
    /** The case. */
    case_id: string
    /** LiquidJS; the result is made one line, and begins with the tag of the case. */
    subject?: string
    /** LiquidJS; plain text. */
    body?: string
    profile?: Schemas['TemplateProfile']
    /** A text of your own that the template shows. */
    text?: string
    /** The reasons that a statement gives. */
    reasons?: Readonly<Record<string, string>>
    /** Values for the variables of playbooks. */
    vars?: Readonly<Record<string, unknown>>
  }
  /**
   * What it may show. customer: the case and its events, without reporters. reporter: what the
   * reporter reported, and the state. authority: the reporters too. Addresses of traps are never
   * shown.
   */
  TemplateProfile: 'customer' | 'reporter' | 'authority'
  /**
   * receipt: to a reporter, that the report came. notice: to the customer, of abuse. reminder: that
   * the case is still open. outcome: to a reporter, how it ended. statement_of_reasons: to the
   * customer, why something was restricted. answer: a text of a person. digest: notices that the
   * limit of a day held back.
   */
  TemplatePurpose: 'receipt' | 'notice' | 'reminder' | 'outcome' | 'statement_of_reasons' | 'answer' | 'digest'
  Tenant: {
    /** Its id. */
    id: string
    /** Its name. */
    name: string
    /** The settings of the tenant. */
    settings: {
      /**
       * What becomes of an event that nobody is known to be responsible for: its address or domain
       * is the customer, or it stays unassigned. When left out, the former while the tenant has no
       * resources, then the latter.
       */
      unmatched?: 'item_is_customer' | 'unassigned'
      /**
       * The laws whose deadlines cases have that are opened from now on; none when left out. dsa:
       * receipt and notice to an authority. nis2: early warning, notification and final report.
       */
      legal_deadlines?: readonly ('dsa' | 'nis2')[]
      retention?: Schemas['RetentionSettings']
      /**
       * Reports of reporters who are not trusted write sightings from so many distinct ones on; 3
       * when left out.
       */
      unverified_reporters_min?: number
      /**
       * Nodes `verify` of playbooks may ask pages, names and ports that were reported; not when
       * left out.
       */
      verify_targets?: boolean
      /**
       * People who work in the tenant must have a second factor; one without can do nothing there
       * but set one up. Those who sign in with a provider are asked for a factor there. Not when
       * left out, unless the instance requires one.
       */
      second_factor_required?: boolean
      /** Accepted reports write sightings, which look-ups of all tenants see. */
      share_sightings: boolean
      /**
       * default: on only while there is one tenant and look-ups need a token or are bound to
       * loopback; a start or a second tenant that ends this switches it off. person: as somebody
       * set it.
       */
      share_sightings_origin: 'default' | 'person'
    }
    /** When it was made. */
    created_at: string
  }
  TenantPage: {
    /** The entries. */
    items: readonly (Schemas['Tenant'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  TenantPatch: {
    /** Its name. */
    name?: string
    /** The settings of the tenant. */
    settings?: {
      /** What becomes of an event that no customer matches. */
      unmatched?: ('item_is_customer') | ('unassigned') | (null)
      /**
       * The laws whose deadlines cases have that are opened from now on; none when left out. dsa:
       * receipt and notice to an authority. nis2: early warning, notification and final report.
       */
      legal_deadlines?: (readonly ('dsa' | 'nis2')[]) | (null)
      /** What is left out is kept for ever. */
      retention?: (Schemas['RetentionSettings']) | (null)
      /**
       * Reports of reporters who are not trusted write sightings from so many distinct ones on; 3
       * when left out.
       */
      unverified_reporters_min?: (number) | (null)
      /**
       * Nodes `verify` of playbooks may ask pages, names and ports that were reported; not when
       * left out.
       */
      verify_targets?: (boolean) | (null)
      /**
       * People who work in the tenant must have a second factor; one without can do nothing there
       * but set one up. Those who sign in with a provider are asked for a factor there. Not when
       * left out, unless the instance requires one.
       */
      second_factor_required?: (boolean) | (null)
      /** Accepted reports write sightings, which look-ups of all tenants see. */
      share_sightings?: (boolean) | (null)
    }
  }
  /**
   * How many events of a correlation key a case needs to open. Until then the events are in no
   * case.
   */
  Threshold: {
    /** How many events must come in. */
    events: number
    /** Different sender addresses. */
    reporters?: number
    /** The events happened within this time, up to the newest one; any time when left out. */
    window_seconds?: number
  }
  Timeline: {
    /** The entries. */
    items: readonly (Schemas['TimelineEntry'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
    /** The kinds that were looked for: those that the token may read. */
    kinds: readonly (Schemas['TimelineKind'])[]
  }
  TimelineEntry: {
    kind: Schemas['TimelineKind']
    /**
     * Of the event, notice, report and so on; of a visit `<run id>/<token>/<visit>`, of an attempt
     * with its number behind.
     */
    id: string
    /** Its place on the timeline. */
    at: string
    /**
     * One stable word: the type of an event, the kind of a history entry or node, the state of a
     * notice, mitigation or report, the outcome of an attempt.
     */
    what: string
    /** Who did it, as the resource itself names them. */
    actor?: string
    /** The name of that user or token; `former user` once the person is gone. */
    actor_name?: string
    /** A reason, a comment, the subject of a notice, the cause of a failure. */
    text?: string
    /** True: a stranger has written the text, such as a customer by mail. */
    is_foreign: boolean
    /** Further members of the resource, by its kind. */
    data: Readonly<Record<string, unknown>>
  }
  /**
   * event: at the time of the abuse. history: a change of the case. comment: with the answers that
   * came by mail. notice, mitigation: when it was made, with its state of now. visit: when a
   * playbook left a node. attempt: of a call by a playbook, of sending a notice, of a mitigation.
   * report: when it was received.
   */
  TimelineKind: 'event' | 'history' | 'comment' | 'notice' | 'mitigation' | 'visit' | 'attempt' | 'report'
  Token: {
    /** Public id; it is no secret. */
    id: string
    /** Its name. */
    name: string
    /** The tenant. */
    tenant_id: string
    /** All that it may do now, by itself and by its roles. */
    scopes: readonly (string)[]
    /** The roles that it names; what they allow may change. */
    roles: readonly (string)[]
    /** CIDR blocks that it may come from; null for any address. */
    networks: (readonly (string)[]) | (null)
    /** Who stands behind it; null for a token of the tenant alone. */
    owner: (Schemas['TokenOwner']) | (null)
    /** Sender of pushed events that name none. */
    contact_email: (string) | (null)
    /** Whether it can be used. */
    state: 'live' | 'expired' | 'revoked'
    /** When it was made. */
    created_at: string
    /** Null for a token that does not expire. */
    expires_at: (string) | (null)
    /** When it was revoked. */
    revoked_at: (string) | (null)
    /** Noted every 30 s. */
    last_used_at: (string) | (null)
    /** When it last got a new secret. */
    rotated_at: (string) | (null)
    /** Until when the secret before the last rotation is good; null when it is not. */
    former_until: (string) | (null)
  }
  TokenOwner: {
    /** A person or a service account. */
    kind: 'user' | 'service_account'
    /** The id of that person or service account. */
    id: string
  }
  TokenPage: {
    /** The entries. */
    items: readonly (Schemas['Token'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  TokenRotation: {
    /** How long the former secret stays good; a day when left out, a week at most. */
    overlap_seconds?: number
    /**
     * After as long a life as before when left out; null for no end. No later than the token of the
     * caller.
     */
    expires_at?: (string) | (null)
  }
  TotpCode: {
    /** What the app shows. */
    code: string
  }
  TotpEnrolment: {
    /** What the app is given, in Base32; shown this once. */
    secret: string
    /** The same for a QR code. */
    otpauth_uri: string
  }
  /**
   * Waits until a caller of trigger-playbook chooses one of the paths; with `anytime` the caller
   * may do so while the run is elsewhere.
   */
  TriggerNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'trigger'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** Names of the paths of which one is chosen. */
      paths: readonly (string)[]
      /** Whom the case waits for meanwhile (`waiting_on` of the case). */
      waiting_on?: 'agent' | 'customer' | 'reporter' | 'third_party'
      /**
       * An answer by mail to a notice of the case takes this path; without it, an answer is a
       * comment only.
       */
      answer?: {
        /** Whose answer. */
        from: 'customer' | 'reporter'
        /** One of the paths. */
        path: string
      }
      /**
       * After this time the node is left by the path `timeout`; without a node at its end the run
       * keeps waiting. Seconds, an ISO 8601 duration such as PT15M or P3DT12H, or hours of opening:
       * {"business": "PT8H", "calendar": "office"}.
       */
      timeout?: (number) | (string) | ({
        /** Hours of opening, such as PT8H; a day is 24 of them. */
        business: (number) | (string)
        /** The name of a calendar of the tenant (`/beta/casework/calendars`). */
        calendar: string
      })
      /** What is to be decided, for people. */
      question?: string
      /** The paths in words for people; the name of a path when left out. */
      titles?: Readonly<Record<string, string>>
      /**
       * A caller may choose a path while no token waits here, as long as the run is active: a
       * further token of the run then goes from this node by the path. No path needs to lead to the
       * node.
       */
      anytime?: boolean
    }
    paths?: Schemas['NodePaths']
  }
  /**
   * Asks a condition about the facts of the case. A condition that cannot be answered takes the
   * path error.
   */
  TrueFalseNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'true_false'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** A CEL condition over case, event, events, customer, intel, vars, run and now. */
      condition: string
    }
    paths?: Schemas['NodePaths']
  }
  TrustedReporter: {
    /**
     * An e-mail address, or a domain with everything below it. It counts for a mail whose domain
     * DKIM or DMARC proved.
     */
    reporter: string
    /** A note for people. */
    note?: string
    /** When it was made. */
    created_at: string
    /** Id of the token. */
    created_by: string
  }
  TrustedReporterPage: {
    /** The entries. */
    items: readonly (Schemas['TrustedReporter'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  UnreadItem: {
    /** The text as it was sent. */
    item: string
    /** Only with `invalid=report`. */
    type: 'INVALID'
  }
  User: {
    /** Its id. */
    id: string
    /** An e-mail address. */
    email: string
    /** Its name. */
    name: string
    /** invited until the person has accepted; disabled ones cannot sign in. */
    state: 'invited' | 'active' | 'disabled'
    /** The tenants that the person works for, as far as the caller administers them. */
    tenants: readonly ({
      /** The tenant. */
      tenant_id: string
      /** The roles of the person there. */
      roles: readonly (string)[]
      /** Its state. */
      state: 'invited' | 'active'
    })[]
    /** When it was made. */
    created_at: string
    /** Null for a person who never was here. */
    last_sign_in_at: (string) | (null)
  }
  UserCode: {
    /** As the program shows it; small letters and a missing hyphen are no matter. */
    user_code: string
  }
  UserFactors: {
    /** Since when an authenticator app is set up; null for none. */
    totp_since: (string) | (null)
    /** How many passkeys there are. */
    passkeys: number
    /** How many recovery codes are unused. */
    recovery_codes_left: number
  }
  UserGroup: {
    /** Its id. */
    id: string
    /** The tenant. */
    tenant_id: string
    /** Its name. */
    name: string
    /** The ids of its users, who work for the tenant. */
    user_ids: readonly (string)[]
    /** When it was made. */
    created_at: string
  }
  UserGroupPage: {
    /** The entries. */
    items: readonly (Schemas['UserGroup'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  UserGroupPatch: {
    /** Its name. */
    name?: string
    /** The ids of its users, who work for the tenant. */
    user_ids?: readonly (string)[]
  }
  UserLink: {
    /** The link, shown this once; null where it was sent by mail. */
    link: (string) | (null)
    /** When the link ends. */
    link_expires_at: string
  }
  UserPage: {
    /** The entries. */
    items: readonly (Schemas['User'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  UserPatch: {
    /** Its name. */
    name?: string
    /** The roles in the tenant; none that holds a scope which the caller lacks. */
    roles?: readonly (string)[]
    /** The tenant of the caller when left out; another one needs instance:admin. */
    tenant_id?: string
    /** True ends the sessions of the person and lets nobody sign in as them. */
    disabled?: boolean
  }
  /**
   * Looks whether what was reported is still there. Other systems are asked only where the tenant
   * setting `verify_targets` is on, and pages only on the ports 80, 443, 8080 and 8443; otherwise,
   * and where no answer can be had, the path is unknown.
   */
  VerifyNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'verify'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /**
       * url: a GET of the first 64 kB, on port 80, 443, 8080 or 8443, or one that
       * CASEWORK_OUTBOUND_ALLOW opens; 2xx is still_abusive, 404, 410 and 451 are clean. dns: a
       * name without address is clean. tcp: an open port is still_abusive, a closed one clean.
       * blocklist: whether our own intel lists the item.
       */
      check: 'url' | 'dns' | 'tcp' | 'blocklist'
      /** A URL, a name, an address, or an item, as the check needs it. Or {"cel": "…"}. */
      target: (string) | ({
        /** An expression as in conditions. */
        cel: string
      })
      /** Of tcp. */
      port?: number
      /**
       * Of url: a page with status 2xx is still_abusive only where it has this text, else clean.
       */
      text?: string
      /** Of dns: still_abusive only where the name has one of them, else clean. */
      addresses?: readonly (string)[]
    }
    paths?: Schemas['NodePaths']
    retry?: Schemas['NodeRetry']
  }
  /**
   * Waits until a condition over the facts of the case holds. It is asked on arrival and again
   * whenever the case or its events change.
   */
  WaitUntilNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'wait_until'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** As of true_false. */
      condition: string
      /**
       * After this time the node is left by the path `timeout`; without a node at its end the run
       * keeps waiting. Seconds, an ISO 8601 duration such as PT15M or P3DT12H, or hours of opening:
       * {"business": "PT8H", "calendar": "office"}.
       */
      timeout?: (number) | (string) | ({
        /** Hours of opening, such as PT8H; a day is 24 of them. */
        business: (number) | (string)
        /** The name of a calendar of the tenant (`/beta/casework/calendars`). */
        calendar: string
      })
    }
    paths?: Schemas['NodePaths']
  }
  WaitingLogin: {
    /** How the program calls itself. Anybody may say so. */
    client_name: string
    /** The address that the program asked from. */
    address: (string) | (null)
    /** What the token would be able to do, by the roles of the person. */
    scopes: readonly (string)[]
    /** When it was made. */
    created_at: string
    /** When it ends by itself. */
    expires_at: string
  }
  /**
   * Whose turn it is; `none` after the end of the case. Nodes of playbooks at which a run waits set
   * it, and take it back when the run goes on; a failed run sets agent.
   */
  WaitingOn: 'none' | 'agent' | 'customer' | 'reporter' | 'third_party' | 'timer'
  WaitingTrigger: {
    /** The run. */
    run_id: string
    /** The playbook. */
    playbook_id: string
    /** Its version, raised by each change. */
    version: number
    /** The id of a node. */
    node: string
    /** The names of the ways out of the node. */
    paths: readonly (string)[]
    /** Since when. */
    since: string
    /** True: a trigger is taken while the run is elsewhere, too. */
    anytime?: boolean
    /** When the node is left by itself. */
    timeout_at?: string
    /** What is to be decided, for people. */
    question?: string
    /** The paths in words for people. */
    titles?: Readonly<Record<string, string>>
    /** Until when somebody should choose. */
    deadline_at?: string
    /** A caller needs every scope of this role to choose. */
    role?: string
    /** True: two different callers must choose the same. */
    four_eyes?: boolean
    /** Somebody has chosen; a second caller must agree. */
    first_decision?: {
      /** The name of a way out of a node. */
      path: string
      /** `token:<id>`. */
      by: string
      /** When it happened. */
      at: string
      /** What was filled in. */
      form: Readonly<Record<string, unknown>>
    }
    /** What goes along with the choice (`POST …/decisions`). */
    form?: readonly (Schemas['FormField'])[]
  }
  WaitingTriggerPage: {
    /** The entries. */
    items: readonly (Schemas['WaitingTrigger'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  Webhook: {
    /** Its id. */
    id: string
    /** Where messages are sent by POST. No redirect is followed. */
    url: string
    /**
     * The types of messages: `case.opened` A case was opened. `case.moved` The state of a case
     * changed. `case.changed` Another member of a case changed, or it was merged, split or
     * reassigned. `case.commented` A case got a comment. `case.mitigated` A mitigation of a case
     * was asked for, or its state changed. `case.run_ended` A playbook run of a case failed, or
     * ended before the end of its graph. `run.started` A run of a playbook began on a case.
     * `run.waiting` A run came to wait at a node. `run.ended` A run came to its end. `run.failed` A
     * run failed and needs a person. `run.cancelled` A run was cancelled. `run.paused` A run was
     * paused. `run.resumed` A run that was paused or had failed goes on. `run.migrated` A run was
     * put on another version of its playbook. `event.stored` An event was stored. `report.accepted`
     * A report was read as events. `report.rejected` A report was rejected. `report.quarantined` A
     * report waits for a person.
     */
    types: readonly ('case.opened' | 'case.moved' | 'case.changed' | 'case.commented' | 'case.mitigated' | 'case.run_ended' | 'run.started' | 'run.waiting' | 'run.ended' | 'run.failed' | 'run.cancelled' | 'run.paused' | 'run.resumed' | 'run.migrated' | 'event.stored' | 'report.accepted' | 'report.rejected' | 'report.quarantined')[]
    /** For people. */
    description: string
    /** Only changes of these case groups; null for all. A report has none of them. */
    case_groups: (readonly (string)[]) | (null)
    /** Only changes of these customers; null for all. A report has none of them. */
    customers: (readonly (string)[]) | (null)
    /** Only changes of these event types; null for all. A report has none of them. */
    event_types: (readonly (string)[]) | (null)
    /** False: changes are not told, and nothing is sent later. */
    enabled: boolean
    /** Why the service switched it off by itself. */
    disabled_reason?: string
    /** When it was made. */
    created_at: string
    /** When it was last changed. */
    updated_at: string
  }
  /**
   * Sends a message about the case and the run to a URL, signed by Standard Webhooks with a secret
   * of the tenant (`whsec_…`). `webhook-id` is the key of the visit, so that a repeated message
   * counts once. Answers are judged as those of api_caller.
   */
  WebhookNode: {
    id: Schemas['NodeId']
    /** Its kind. */
    kind: 'webhook'
    note?: Schemas['NodeNote']
    position?: Schemas['NodePosition']
    /** The settings of its kind. */
    config: {
      /** An https URL of a public address, or one that CASEWORK_OUTBOUND_ALLOW opens. */
      url: string
      /** The name of a secret of the tenant. */
      secret: string
      /** The type of the message, of words with full stops. */
      type?: string
      /**
       * Sent as data.values. A value may be {"cel": "…"}, and strings may have templates as those
       * of api_caller.
       */
      data?: Readonly<Record<string, unknown>>
    }
    paths?: Schemas['NodePaths']
    retry?: Schemas['NodeRetry']
  }
  WebhookPage: {
    /** The entries. */
    items: readonly (Schemas['Webhook'])[]
    /** Send it as `cursor` to get the next page; empty on the last page. */
    next_cursor: string
  }
  WebhookPatch: {
    /** Where messages are sent by POST. No redirect is followed. */
    url?: string
    /**
     * The types of messages: `case.opened` A case was opened. `case.moved` The state of a case
     * changed. `case.changed` Another member of a case changed, or it was merged, split or
     * reassigned. `case.commented` A case got a comment. `case.mitigated` A mitigation of a case
     * was asked for, or its state changed. `case.run_ended` A playbook run of a case failed, or
     * ended before the end of its graph. `run.started` A run of a playbook began on a case.
     * `run.waiting` A run came to wait at a node. `run.ended` A run came to its end. `run.failed` A
     * run failed and needs a person. `run.cancelled` A run was cancelled. `run.paused` A run was
     * paused. `run.resumed` A run that was paused or had failed goes on. `run.migrated` A run was
     * put on another version of its playbook. `event.stored` An event was stored. `report.accepted`
     * A report was read as events. `report.rejected` A report was rejected. `report.quarantined` A
     * report waits for a person.
     */
    types?: readonly ('case.opened' | 'case.moved' | 'case.changed' | 'case.commented' | 'case.mitigated' | 'case.run_ended' | 'run.started' | 'run.waiting' | 'run.ended' | 'run.failed' | 'run.cancelled' | 'run.paused' | 'run.resumed' | 'run.migrated' | 'event.stored' | 'report.accepted' | 'report.rejected' | 'report.quarantined')[]
    /** For people. */
    description?: string
    /** Only changes of these case groups; null for all. A report has none of them. */
    case_groups?: (readonly (string)[]) | (null)
    /** Only changes of these customers; null for all. A report has none of them. */
    customers?: (readonly (string)[]) | (null)
    /** Only changes of these event types; null for all. A report has none of them. */
    event_types?: (readonly (string)[]) | (null)
    /** False: changes are not told, and nothing is sent later. */
    enabled?: boolean
  }
  WebhookSecret: {
    /** Its id. */
    id: string
    /** Where messages are sent by POST. No redirect is followed. */
    url: string
    /**
     * The types of messages: `case.opened` A case was opened. `case.moved` The state of a case
     * changed. `case.changed` Another member of a case changed, or it was merged, split or
     * reassigned. `case.commented` A case got a comment. `case.mitigated` A mitigation of a case
     * was asked for, or its state changed. `case.run_ended` A playbook run of a case failed, or
     * ended before the end of its graph. `run.started` A run of a playbook began on a case.
     * `run.waiting` A run came to wait at a node. `run.ended` A run came to its end. `run.failed` A
     * run failed and needs a person. `run.cancelled` A run was cancelled. `run.paused` A run was
     * paused. `run.resumed` A run that was paused or had failed goes on. `run.migrated` A run was
     * put on another version of its playbook. `event.stored` An event was stored. `report.accepted`
     * A report was read as events. `report.rejected` A report was rejected. `report.quarantined` A
     * report waits for a person.
     */
    types: readonly ('case.opened' | 'case.moved' | 'case.changed' | 'case.commented' | 'case.mitigated' | 'case.run_ended' | 'run.started' | 'run.waiting' | 'run.ended' | 'run.failed' | 'run.cancelled' | 'run.paused' | 'run.resumed' | 'run.migrated' | 'event.stored' | 'report.accepted' | 'report.rejected' | 'report.quarantined')[]
    /** For people. */
    description: string
    /** Only changes of these case groups; null for all. A report has none of them. */
    case_groups: (readonly (string)[]) | (null)
    /** Only changes of these customers; null for all. A report has none of them. */
    customers: (readonly (string)[]) | (null)
    /** Only changes of these event types; null for all. A report has none of them. */
    event_types: (readonly (string)[]) | (null)
    /** False: changes are not told, and nothing is sent later. */
    enabled: boolean
    /** Why the service switched it off by itself. */
    disabled_reason?: string
    /** When it was made. */
    created_at: string
    /** When it was last changed. */
    updated_at: string
    /** The key of the signatures, shown this once (`whsec_…`, Standard Webhooks). */
    secret: string
  }
  Whoami: {
    /**
     * By what you are known: the session of a browser, a token, or the socket in the data folder.
     */
    credential: 'session' | 'token' | 'local'
    /** Of a session it is the id of its person. */
    token_id: string
    /** Null without a session. */
    session_id: (string) | (null)
    /** Who is signed in or owns the token; null where that is no person. */
    person: (Schemas['CallerPerson']) | (null)
    /** Its name. */
    name: string
    /** The tenant. */
    tenant_id: string
    /** What the token may do. */
    scopes: readonly (string)[]
    /** The roles that it names; what they allow may change. */
    roles: readonly (string)[]
    /** CIDR blocks that it may come from; null for any address. */
    networks: (readonly (string)[]) | (null)
    /** Who stands behind it; null for a token of the tenant alone. */
    owner: (Schemas['TokenOwner']) | (null)
    /** Whom to ask about the token; the sender of events that it pushes. */
    contact_email: (string) | (null)
    /** Null for a credential that does not expire. */
    expires_at: (string) | (null)
    /** The limits that count your requests; empty where none does. */
    limits: readonly (Schemas['CallerLimit'])[]
  }
  XarfClass: 'messaging' | 'connection' | 'content' | 'infrastructure' | 'copyright' | 'vulnerability' | 'reputation'
}

/** The operations by path and method. */
export interface Paths {
  '/beta/casework/cases': {
    /** List cases */
    get: {
      parameters: {
        query?: {
          /** NEW, IN_PROGRESS, RESOLVED, CLOSED; several are separated by commas. */
          state?: string
          /** Only those of this customer. */
          customer_id?: string
          /** Only those of this contract. */
          contract_id?: string
          /** Only those of this tenant; yours when left out. */
          tenant_id?: string
          /** Only cases of this group. */
          case_group?: string
          /**
           * The id of a user or group; `me` for your own cases and those of your groups, `none` for
           * cases without an assignee.
           */
          assignee_user_id?: string
          /** Only cases of this severity. */
          severity?: Schemas['Severity']
          /**
           * Whose turn it is; `none` after the end of the case. Nodes of playbooks at which a run
           * waits set it, and take it back when the run goes on; a failed run sets agent.
           */
          waiting_on?: Schemas['WaitingOn']
          /** Only cases with this tag. */
          tag?: string
          /** Cases with a deadline before this time that is not met. */
          deadline_before?: string
          /** Cases with a deadline at this time or later that is not met. */
          deadline_after?: string
          /**
           * Cases with a deadline that is not met and passes within this many hours; deadlines that
           * have passed are among them, with 0 no others.
           */
          due_within_hours?: number
          /** Cases with an event of this address, in any spelling. */
          ip?: string
          /** Cases with an event of an address in this CIDR block, or from `first-last`. */
          range?: string
          /** Cases with an event of this domain. */
          domain?: string
          /** Cases with an event of this e-mail address. */
          reporter?: string
          /** Cases with an event of this type. */
          event_type?: string
          /**
           * Cases whose comments, or the details of whose events, contain all of these words. The
           * last one may be the beginning of a word.
           */
          text?: string
          /** Cases created at this time or later. */
          created_after?: string
          /** Cases created before this time. */
          created_before?: string
          /** Cases created in the last hours, this many. */
          created_within_hours?: number
          /**
           * created_at when left out; ties are ordered by id. due_at lists only cases that have a
           * deadline.
           */
          sort?: 'created_at' | 'first_event_date' | 'last_event_date' | 'due_at'
          /**
           * With `summary`: severity, deadline, assignee, counts, types, tags and last event of
           * each case.
           */
          expand?: 'summary'
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CasePage']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/trigger-playbook': {
    /** Trigger a playbook */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['PlaybookTrigger']
        }
      }
      responses: {
        202: {
          content?: never
        }
      }
    }
  }
  '/beta/ops/events/{eventId}': {
    /** Get an event of any tenant */
    get: {
      parameters: {
        query?: {
          /** True: with `seen_count` and `last_seen`. */
          repeats?: boolean
          /** With `report_id`, if the event was read out of a report. */
          expand?: 'report'
        }
        path: {
          /** The id of the event. */
          eventId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Event']
          }
        }
      }
    }
  }
  '/beta/casework/events': {
    /** List events */
    get: {
      parameters: {
        query?: {
          /** Only those of this case. */
          case_id?: string
          /** Only those of this customer. */
          customer_id?: string
          /** A type of event; several are separated by commas. */
          event_type?: string
          /** In any spelling of the address. */
          ip?: string
          /** Events of an address in this CIDR block, or from `first-last`. */
          range?: string
          /** In upper or lower case. */
          sender_email?: string
          /** Only events about this domain. */
          domain?: string
          /** Words in the details of the event; the last may be the beginning of one. */
          text?: string
          /** Events of this time or later. */
          event_after?: string
          /** Events before this time. */
          event_before?: string
          /** Only events that are resolved, or that are not. */
          resolved?: boolean
          /** True: only events without a known owner. */
          unassigned?: boolean
          /** Only unassigned events, of this cause. */
          unassigned_cause?: 'no_target' | 'no_match' | 'resolver_failed'
          /**
           * Only events that have an owner and are in no case: muted by a rule, or pending below
           * the threshold of their group.
           */
          without_case?: 'muted' | 'held'
          /** Our id of a report: the events that it holds. */
          report_id?: string
          /** Each entry also has `case_id` and `customer_id`, if it has them. */
          expand?: 'case'
          /** event_date when left out; ties are ordered by id. */
          sort?: 'event_date' | 'create_date'
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['EventSummaryPage']
          }
        }
      }
    }
    /** Push events */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': (Schemas['NewEvent']) | (readonly (Schemas['NewEvent'])[])
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PushedEvents']
          }
        }
        201: {
          content: {
            'application/json': Schemas['PushedEvent']
          }
        }
      }
    }
  }
  '/beta/casework/events/{eventId}': {
    /** Get an event */
    get: {
      parameters: {
        query?: {
          /** True: with `seen_count` and `last_seen`. */
          repeats?: boolean
          /** With `report_id`, if the event was read out of a report. */
          expand?: 'report'
        }
        path: {
          /** The id of the event. */
          eventId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Event']
          }
        }
      }
    }
  }
  '/beta/quick-check': {
    /** Check many addresses and domains */
    post: {
      parameters: {
        query?: {
          /**
           * Answers a string that is no item in its place, with type INVALID and without a verdict,
           * instead of 400.
           */
          invalid?: 'report'
          /**
           * true also takes what analysts paste: evil[.]example, hxxp://…, a link (its host is
           * asked about), quotes, brackets, a port, a trailing dot. The answer repeats the text as
           * it was sent.
           */
          refang?: boolean
        }
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (string)[]
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['QuickCheckAnswer']
          }
        }
      }
    }
  }
  '/beta/query/{item}': {
    /** Look up an address or a domain */
    get: {
      parameters: {
        query?: {
          /**
           * true also takes what analysts paste: evil[.]example, hxxp://…, a link (its host is
           * asked about), quotes, brackets, a port, a trailing dot. The answer repeats the text as
           * it was sent.
           */
          refang?: boolean
        }
        path: {
          /** IP address or domain, percent-encoded where needed. */
          item: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['LookupResultAnswer']
          }
        }
        503: {
          content: {
            'application/json': Schemas['LookupResultPartialAnswer']
          }
        }
      }
    }
  }
  '/beta/tags/{name}': {
    /** Get a tag */
    get: {
      parameters: {
        query?: never
        path: {
          /** Such as credentials:brute-force. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['TagAnswer']
          }
        }
      }
    }
    /** Create or replace a tag */
    put: {
      parameters: {
        query?: never
        path: {
          /** Lower-case words joined with hyphens, parts with a colon. */
          name: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewTag']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['TagAnswer']
          }
        }
        201: {
          content: {
            'application/json': Schemas['TagCreatedAnswer']
          }
        }
      }
    }
    /** Delete a tag */
    delete: {
      parameters: {
        query?: never
        path: {
          /** Lower-case words joined with hyphens, parts with a colon. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/tags': {
    /** List tags */
    get: {
      parameters: {
        query?: {
          /** true gives the full description, false its first sentence. */
          includeDescriptions?: boolean
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['TagSummaryListAnswer']
          }
        }
      }
    }
  }
  '/beta/explain/{item}': {
    /** Explain a look-up */
    get: {
      parameters: {
        query?: {
          /**
           * true also takes what analysts paste: evil[.]example, hxxp://…, a link (its host is
           * asked about), quotes, brackets, a port, a trailing dot. The answer repeats the text as
           * it was sent.
           */
          refang?: boolean
        }
        path: {
          /** IP address or domain, percent-encoded where needed. */
          item: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ExplanationAnswer']
          }
        }
      }
    }
  }
  '/beta/ranges/{cidr}': {
    /** Get a range */
    get: {
      parameters: {
        query?: {
          /** Entries on a page. */
          limit?: number
          /** The next of the former page. */
          after?: string
        }
        path: {
          /** Such as 192.0.2.0%2F24 or 2001:db8::%2F32. */
          cidr: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RangeContentsAnswer']
          }
        }
      }
    }
  }
  '/beta/ranges/{address}/{prefixLength}': {
    /** Get the known contents of a range, its slash not encoded */
    get: {
      parameters: {
        query?: {
          /** Entries on a page. */
          limit?: number
          /** The next of the former page. */
          after?: string
        }
        path: {
          /** The first address of the range. */
          address: string
          /** Such as 24. */
          prefixLength: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RangeContentsAnswer']
          }
        }
      }
    }
  }
  '/beta/sightings': {
    /** Count the sightings of an item by day */
    get: {
      parameters: {
        query: {
          /** An address, a range such as 192.0.2.0/24, or a domain. */
          item: string
          /** Days in UTC, today included. */
          days?: number
          /** The member of a sighting that divides the counts. */
          by?: 'type' | 'kind' | 'service' | 'source'
          /**
           * true also takes what analysts paste: evil[.]example, hxxp://…, a link (its host is
           * asked about), quotes, brackets, a port, a trailing dot. The answer repeats the text as
           * it was sent.
           */
          refang?: boolean
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SightingDaysAnswer']
          }
        }
      }
    }
    /** Push sightings */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewSighting'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PushResultAnswer']
          }
        }
      }
    }
  }
  '/beta/snapshot': {
    /** Download the snapshot of the intel set */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/octet-stream': ArrayBuffer | string
          }
        }
        206: {
          content: {
            'application/octet-stream': ArrayBuffer | string
          }
        }
      }
    }
  }
  '/beta/tags/{name}/ips': {
    /** List the items with a tag */
    get: {
      parameters: {
        query?: {
          /** How many entries to skip. */
          offset?: number
          /** Entries on a page. */
          limit?: number
          /** The snapshot of the first page. It is kept for an hour. */
          snapshot?: string
        }
        path: {
          /** The name of the tag. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['TaggedItemsAnswer']
          }
        }
      }
    }
  }
  '/beta/sighting-rules': {
    /** List sighting rules */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SightingRuleListAnswer']
          }
        }
      }
    }
  }
  '/beta/sighting-rules/{name}': {
    /** Get a sighting rule */
    get: {
      parameters: {
        query?: never
        path: {
          /** The name of the rule. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SightingRuleAnswer']
          }
        }
      }
    }
    /** Create or replace a sighting rule */
    put: {
      parameters: {
        query?: never
        path: {
          /** The name of the rule. */
          name: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewSightingRule']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['SightingRuleAnswer']
          }
        }
        201: {
          content: {
            'application/json': Schemas['SightingRuleCreatedAnswer']
          }
        }
      }
    }
    /** Change a sighting rule */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The name of the rule. */
          name: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['SightingRulePatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['SightingRuleAnswer']
          }
        }
      }
    }
    /** Delete or reset a sighting rule */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The name of the rule. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/sighting-rules/{name}/history': {
    /** List the history of a sighting rule */
    get: {
      parameters: {
        query?: never
        path: {
          /** The name of the rule. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SightingRuleHistoryAnswer']
          }
        }
      }
    }
  }
  '/beta/changes': {
    /** List changes of intel */
    get: {
      parameters: {
        query?: {
          /**
           * The serial up to which you have read: 0 (or left out) to begin, then the next of the
           * former page, which is serial.position inside a large change.
           */
          after?: string
          /** Entries on a page. */
          limit?: number
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ChangePageAnswer']
          }
        }
      }
    }
  }
  '/beta/listings': {
    /** Push listings */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewListing'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PushResultAnswer']
          }
        }
      }
    }
  }
  '/beta/allowances': {
    /** Push allowances */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewListing'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PushResultAnswer']
          }
        }
      }
    }
  }
  '/beta/taggings': {
    /** Push taggings */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewTagging'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PushResultAnswer']
          }
        }
      }
    }
  }
  '/beta/networks': {
    /** Push your networks */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewNetwork'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PushResultAnswer']
          }
        }
      }
    }
  }
  '/beta/sources/{kind}/{name}/entries': {
    /** List the entries of a source */
    get: {
      parameters: {
        query?: {
          /** Entries on a page. */
          limit?: number
          /** The next of the former page. */
          after?: string
        }
        path: {
          /** The kind of source. */
          kind: string
          /** The name of the source. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SourceEntryListAnswer']
          }
        }
      }
    }
    /** Replace the entries of a source */
    put: {
      parameters: {
        query?: {
          /** true accepts a list that has less than half as many entries as the source has now. */
          allowShrink?: boolean
        }
        path: {
          /** The kind of source. */
          kind: 'mail-blocklist' | 'tag-list' | 'allow-list' | 'network'
          /** Name of the source, created by its first list. */
          name: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewEntry'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReplacementResultAnswer']
          }
        }
      }
    }
  }
  '/beta/sources/{kind}/{name}/entries/{entry}': {
    /** Delist one entry */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The kind of source. */
          kind: string
          /** The name of the source. */
          name: string
          /** Address, range (with %2F) or domain. */
          entry: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['DelistResultAnswer']
          }
        }
      }
    }
  }
  '/beta/sources/{kind}/{name}/entries/{address}/{prefixLength}': {
    /** Delist one range, its slash not encoded */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The kind of source. */
          kind: string
          /** The name of the source. */
          name: string
          /** The first address of the range. */
          address: string
          /** Such as 24. */
          prefixLength: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['DelistResultAnswer']
          }
        }
      }
    }
  }
  '/beta/sources': {
    /** List sources */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SourceListAnswer']
          }
        }
      }
    }
  }
  '/beta/sources/{kind}/{name}': {
    /** Get a source */
    get: {
      parameters: {
        query?: never
        path: {
          /** The kind of source. */
          kind: string
          /** The name of the source. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SourceAnswer']
          }
        }
      }
    }
    /** Create or replace a source */
    put: {
      parameters: {
        query?: never
        path: {
          /** The kind of source. */
          kind: string
          /** The name of the source. */
          name: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewSource']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['SourceAnswer']
          }
        }
        201: {
          content: {
            'application/json': Schemas['SourceCreatedAnswer']
          }
        }
      }
    }
    /** Delete a source */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The kind of source. */
          kind: string
          /** The name of the source. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/sources/{kind}/{name}/history': {
    /** Get the history of a source */
    get: {
      parameters: {
        query?: {
          /** Days in UTC, today included. */
          days?: number
        }
        path: {
          /** The kind of source. */
          kind: string
          /** The name of the source. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SourceHistoryAnswer']
          }
        }
      }
    }
  }
  '/beta/sources/{kind}/{name}/fetch': {
    /** Fetch a source now */
    post: {
      parameters: {
        query?: {
          /** true accepts a list that has less than half as many entries as the source has now. */
          allowShrink?: boolean
        }
        path: {
          /** The kind of source. */
          kind: string
          /** The name of the source. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SourceFetchAnswer']
          }
        }
        202: {
          content: {
            'application/json': Schemas['SourceFetchAcceptedAnswer']
          }
        }
      }
    }
  }
  '/beta/networks/known': {
    /** List what is known in your networks */
    get: {
      parameters: {
        query?: {
          /** Entries on a page. */
          limit?: number
          /** The next of the former page. */
          after?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['KnownItemsAnswer']
          }
        }
      }
    }
  }
  '/beta/contacts': {
    /** Set abuse contacts */
    put: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewAbuseContact'])[]
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PushResultAnswer']
          }
        }
      }
    }
  }
  '/beta/casework/reports': {
    /** List reports */
    get: {
      parameters: {
        query?: {
          /**
           * accepted: its events are stored. rejected: its format is known, but the report breaks
           * its rules. quarantined: it could not be read. All are kept.
           */
          state?: Schemas['ReportState']
          /** How it came. */
          via?: Schemas['ReportChannel']
          /** True: reports that a person corrected. */
          corrected?: boolean
          /** True: reports that were not read yet; false: without them. */
          unread?: boolean
          /** How it was read, such as arf. */
          format?: string
          /** The sender of its events or of its envelope, in upper or lower case. */
          reporter?: string
          /** Reports that came at this time or later. */
          received_after?: string
          /** Reports that came before this time. */
          received_before?: string
          /**
           * Part of its reason, Message-ID, sender or id of its reporter, the beginning of the
           * sender of its events, or words in their details.
           */
          text?: string
          /** Each entry also has `first_event`, if it has an event. */
          expand?: 'first_event'
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReportPage']
          }
        }
      }
    }
    /** Submit a raw report */
    post: {
      parameters: {
        query?: {
          /**
           * Shows the events that would be stored and where in the report each value was found;
           * stores nothing.
           */
          dry_run?: boolean
          /** Marks a report out of an archive; without it the report is marked api. */
          via?: 'import'
          /**
           * The reporter of a report that names none (a table, a bare text); the contact_email of
           * the token when left out.
           */
          reporter?: string
        }
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          '*/*': ArrayBuffer | string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReadReport']
          }
        }
        201: {
          content: {
            'application/json': Schemas['ReadReport']
          }
        }
      }
    }
  }
  '/beta/casework/reports/{reportId}': {
    /** Get a report */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the report. */
          reportId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReportDetail']
          }
        }
      }
    }
  }
  '/beta/casework/reports/{reportId}/raw': {
    /** Download a raw report */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the report. */
          reportId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/octet-stream': ArrayBuffer | string
          }
        }
      }
    }
  }
  '/beta/casework/reports/{reportId}/reading': {
    /** Show how a report is read */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the report. */
          reportId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReportReading']
          }
        }
      }
    }
  }
  '/beta/casework/reports/{reportId}/events': {
    /** List the events of a report */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** The id of the report. */
          reportId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['EventSummaryPage']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/reports': {
    /** List the reports of a case */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReportPage']
          }
        }
      }
    }
  }
  '/beta/casework/reports/{reportId}/replay': {
    /** Read a report again */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the report. */
          reportId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReadReport']
          }
        }
      }
    }
  }
  '/beta/casework/reports/{reportId}/correct': {
    /** Correct a report */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the report. */
          reportId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewCorrection']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['CorrectedReport']
          }
        }
      }
    }
  }
  '/beta/casework/reports/{reportId}/take-as-answer': {
    /** Take a mail over as an answer */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the report. */
          reportId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** The case, where the mail names none or another one: an answer to a digest. */
            case_id?: string
            /**
             * Who answered. Left out: the party of the notice for its recipient, customer for a
             * contact of the customer, else other.
             */
            party?: 'customer' | 'reporter' | 'other'
            /**
             * True: the run that waits for an answer of this party goes on. Left out: the mail is a
             * comment only.
             */
            take_path?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** The report. */
              report_id: string
              /** The case. */
              case_id: string
              /** The comment. */
              comment_id: string
              /** Who it is. */
              party: 'customer' | 'reporter' | 'other'
              /** It was taken before, and nothing was changed now. */
              repeated: boolean
              /** What goes on by it. */
              trigger?: {
                /** The run. */
                run_id: string
                /** The id of a node. */
                node: string
                /** The name of a way out of a node. */
                path: string
              }
            }
          }
        }
      }
    }
  }
  '/beta/casework/reports/{reportId}/regression-case': {
    /** Get a report as a test case of the reader */
    get: {
      parameters: {
        query?: {
          /** True: replaces everything that names somebody. */
          anonymise?: boolean
        }
        path: {
          /** The id of the report. */
          reportId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/plain; charset=utf-8': string
          }
        }
      }
    }
  }
  '/beta/admin/report-addresses': {
    /** List report addresses */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReportAddressPage']
          }
        }
      }
    }
  }
  '/beta/admin/report-addresses/{address}': {
    /** Assign a report address to a tenant */
    put: {
      parameters: {
        query?: never
        path: {
          /** The e-mail address. */
          address: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewReportAddress']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReportAddress']
          }
        }
      }
    }
    /** Remove a report address */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The e-mail address. */
          address: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/events/replay': {
    /** Assign waiting events again */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['EventReplayRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['EventReplay']
          }
        }
      }
    }
  }
  '/beta/casework/events/{eventId}/reassign': {
    /** Reassign an event */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the event. */
          eventId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['EventReassignment']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['ReassignedEvent']
          }
        }
      }
    }
  }
  '/beta/casework/case-groups/test': {
    /** Test the case groups and mute rules with an event */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewEvent']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseGroupTest']
          }
        }
      }
    }
  }
  '/beta/casework/case-groups/try': {
    /** Try a case group or mute rule on the newest events */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['RuleTrialRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['RuleTrial']
          }
        }
      }
    }
  }
  '/beta/casework/cases/counts': {
    /** Count cases */
    get: {
      parameters: {
        query?: {
          /** NEW, IN_PROGRESS, RESOLVED, CLOSED; several are separated by commas. */
          state?: string
          /** Only those of this customer. */
          customer_id?: string
          /** Only those of this contract. */
          contract_id?: string
          /** Only those of this tenant; yours when left out. */
          tenant_id?: string
          /** Only cases of this group. */
          case_group?: string
          /**
           * The id of a user or group; `me` for your own cases and those of your groups, `none` for
           * cases without an assignee.
           */
          assignee_user_id?: string
          /** Only cases of this severity. */
          severity?: Schemas['Severity']
          /**
           * Whose turn it is; `none` after the end of the case. Nodes of playbooks at which a run
           * waits set it, and take it back when the run goes on; a failed run sets agent.
           */
          waiting_on?: Schemas['WaitingOn']
          /** Only cases with this tag. */
          tag?: string
          /** Cases with a deadline before this time that is not met. */
          deadline_before?: string
          /** Cases with a deadline at this time or later that is not met. */
          deadline_after?: string
          /**
           * Cases with a deadline that is not met and passes within this many hours; deadlines that
           * have passed are among them, with 0 no others.
           */
          due_within_hours?: number
          /** Cases with an event of this address, in any spelling. */
          ip?: string
          /** Cases with an event of an address in this CIDR block, or from `first-last`. */
          range?: string
          /** Cases with an event of this domain. */
          domain?: string
          /** Cases with an event of this e-mail address. */
          reporter?: string
          /** Cases with an event of this type. */
          event_type?: string
          /**
           * Cases whose comments, or the details of whose events, contain all of these words. The
           * last one may be the beginning of a word.
           */
          text?: string
          /** Cases created at this time or later. */
          created_after?: string
          /** Cases created before this time. */
          created_before?: string
          /** Cases created in the last hours, this many. */
          created_within_hours?: number
          /** Also by the values of this member, busiest first. */
          by?: 'case_group' | 'customer_id' | 'assignee_user_id'
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseCounts']
          }
        }
      }
    }
  }
  '/beta/casework/cases/bulk': {
    /** Change many cases */
    post: {
      parameters: {
        query?: {
          /** True: nothing is changed; the answer tells what would be. */
          preview?: boolean
        }
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['BulkChangeRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['BulkResult']
          }
        }
      }
    }
  }
  '/beta/casework/cases/bulk/{changeId}/undo': {
    /** Undo a bulk change */
    post: {
      parameters: {
        query?: {
          /** Says what would go back, and changes nothing. */
          preview?: boolean
        }
        path: {
          /** `change_id` in the answer of the bulk change. */
          changeId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['BulkUndoRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['BulkUndoResult']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}': {
    /** Get a case */
    get: {
      parameters: {
        query?: {
          /** With `customer`: how many cases and events its customer had lately. */
          expand?: 'customer'
        }
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ExpandedCase']
          }
        }
      }
    }
    /** Change a case */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['CasePatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseDetail']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/merge': {
    /** Merge cases */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['CaseMerge']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseDetail']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/unmerge': {
    /** Undo a merge */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['CaseMerge']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseDetail']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/split': {
    /** Split a case */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['CaseSplit']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['CaseDetail']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/comments': {
    /** List the comments on a case */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CommentPage']
          }
        }
      }
    }
    /** Comment on a case */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewComment']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['Comment']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/history': {
    /** List the history of a case */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseHistoryEntryPage']
          }
        }
      }
    }
  }
  '/beta/casework/trusted-reporters': {
    /** List the trusted reporters */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['TrustedReporterPage']
          }
        }
      }
    }
  }
  '/beta/casework/trusted-reporters/{reporter}': {
    /** Trust a reporter */
    put: {
      parameters: {
        query?: never
        path: {
          /** The address or the domain of the reporter. */
          reporter: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewTrustedReporter']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['TrustedReporter']
          }
        }
      }
    }
    /** Stop trusting a reporter */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The address or the domain of the reporter. */
          reporter: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/intel': {
    /** Get intel about a case */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseIntel']
          }
        }
      }
    }
  }
  '/beta/casework/case-groups': {
    /** List case groups */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseGroupPage']
          }
        }
      }
    }
    /** Create a case group */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewCaseGroup']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['CaseGroup']
          }
        }
      }
    }
  }
  '/beta/casework/case-groups/{groupId}': {
    /** Get a case group */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the case group. */
          groupId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseGroup']
          }
        }
      }
    }
    /** Change a case group */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the case group. */
          groupId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['CaseGroupPatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['CaseGroup']
          }
        }
      }
    }
    /** Delete a case group */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the case group. */
          groupId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/case-groups/{ruleId}/history': {
    /** List the history of a case group */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** The id of the rule. */
          ruleId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RuleHistoryEntryPage']
          }
        }
      }
    }
  }
  '/beta/casework/mute-rules': {
    /** List mute rules */
    get: {
      parameters: {
        query?: {
          /** Only rules that mute now. */
          in_force?: 'true'
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['MuteRulePage']
          }
        }
      }
    }
    /** Create a mute rule */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewMuteRule']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['MuteRule']
          }
        }
      }
    }
  }
  '/beta/casework/mute-rules/{ruleId}': {
    /** Get a mute rule */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the rule. */
          ruleId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['MuteRule']
          }
        }
      }
    }
  }
  '/beta/casework/mute-rules/{ruleId}/end': {
    /** End a mute rule */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the rule. */
          ruleId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['MuteRule']
          }
        }
      }
    }
  }
  '/beta/casework/mute-rules/{ruleId}/history': {
    /** List the history of a mute rule */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** The id of the rule. */
          ruleId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RuleHistoryEntryPage']
          }
        }
      }
    }
  }
  '/beta/casework/secrets': {
    /** List secrets */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SecretList']
          }
        }
      }
    }
  }
  '/beta/casework/secrets/{name}': {
    /** Set a secret */
    put: {
      parameters: {
        query?: never
        path: {
          /** 1 to 64 lower-case letters, digits, hyphens or underscores. */
          name: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewSecret']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Secret']
          }
        }
      }
    }
    /** Delete a secret */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The name of the secret. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/customers': {
    /** List customers */
    get: {
      parameters: {
        query?: {
          /** Only customers of this reseller. */
          parent_customer_id?: string
          /** Every word of it is a part of the id or the name. */
          text?: string
          /** Each entry also has `open_cases`. */
          expand?: 'open_cases'
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ListedCustomerPage']
          }
        }
      }
    }
    /** Create a customer */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewCustomer']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['Customer']
          }
        }
      }
    }
  }
  '/beta/casework/customers/bulk': {
    /** Store up to 10,000 customers at once */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewCustomer'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['OwnerImport']
          }
        }
      }
    }
  }
  '/beta/casework/customers/{customerId}': {
    /** Get a customer */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the customer. */
          customerId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Customer']
          }
        }
      }
    }
    /** Change a customer */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the customer. */
          customerId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['CustomerPatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Customer']
          }
        }
      }
    }
    /** Delete a customer */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the customer. */
          customerId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/contracts': {
    /** List contracts */
    get: {
      parameters: {
        query?: {
          /** Only those of this customer. */
          customer_id?: string
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ContractPage']
          }
        }
      }
    }
    /** Create a contract */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewContract']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['Contract']
          }
        }
      }
    }
  }
  '/beta/casework/contracts/bulk': {
    /** Store up to 10,000 contracts at once */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewContract'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['OwnerImport']
          }
        }
      }
    }
  }
  '/beta/casework/contracts/{contractId}': {
    /** Get a contract */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the contract. */
          contractId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Contract']
          }
        }
      }
    }
    /** Change a contract */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the contract. */
          contractId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['ContractPatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Contract']
          }
        }
      }
    }
    /** Delete a contract */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the contract. */
          contractId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/resources': {
    /** List resources */
    get: {
      parameters: {
        query?: {
          /** Only those of this customer. */
          customer_id?: string
          /** Only those of this contract. */
          contract_id?: string
          /** Only resources of this kind. */
          kind?: Schemas['ResourceKind']
          /** In any spelling of the value. */
          value?: string
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ResourcePage']
          }
        }
      }
    }
    /** Create a resource */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewResource']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['Resource']
          }
        }
      }
    }
  }
  '/beta/casework/resources/bulk': {
    /** Store up to 10,000 resources at once */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': readonly (Schemas['NewResource'])[]
          'application/x-ndjson': string
          'application/jsonl': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['OwnerImport']
          }
        }
      }
    }
  }
  '/beta/casework/resources/{resourceId}': {
    /** Get a resource */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the resource. */
          resourceId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Resource']
          }
        }
      }
    }
    /** Change a resource */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the resource. */
          resourceId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['ResourcePatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Resource']
          }
        }
      }
    }
    /** Delete a resource */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the resource. */
          resourceId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/customers/{customerId}/counters': {
    /** Count the cases and events of a customer */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the customer. */
          customerId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CustomerCounters']
          }
        }
      }
    }
  }
  '/beta/admin/tenants/{tenantId}/owner-resolver': {
    /** Get an owner resolver */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the tenant. */
          tenantId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['OwnerResolver']
          }
        }
      }
    }
    /** Set an owner resolver */
    put: {
      parameters: {
        query?: never
        path: {
          /** The id of the tenant. */
          tenantId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewOwnerResolver']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['OwnerResolver']
          }
        }
      }
    }
    /** Remove an owner resolver */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the tenant. */
          tenantId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/templates': {
    /** List templates */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['TemplatePage']
          }
        }
      }
    }
  }
  '/beta/casework/templates/{name}/{language}': {
    /** Get a template */
    get: {
      parameters: {
        query?: never
        path: {
          /** The name of the template. */
          name: string
          /** The language of the template, as a BCP 47 tag. */
          language: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Template']
          }
        }
      }
    }
    /** Create or replace a template */
    put: {
      parameters: {
        query?: never
        path: {
          /** The name of the template. */
          name: string
          /** The language of the template, as a BCP 47 tag. */
          language: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewTemplate']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Template']
          }
        }
      }
    }
    /** Delete a template */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The name of the template. */
          name: string
          /** The language of the template, as a BCP 47 tag. */
          language: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/templates/{name}/{language}/preview': {
    /** Preview a template */
    post: {
      parameters: {
        query?: never
        path: {
          /** The name of the template. */
          name: string
          /** The language of the template, as a BCP 47 tag. */
          language: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['TemplatePreviewRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['TemplatePreview']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/notices': {
    /** List the notices of a case */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['NoticePage']
          }
        }
      }
    }
    /** Send a notice about a case */
    post: {
      parameters: {
        query?: {
          /** True: nothing is stored or sent; answers with the notice. */
          preview?: boolean
        }
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewNotice']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['NoticePreview']
          }
        }
        202: {
          content: {
            'application/json': Schemas['NoticeDetail']
          }
        }
      }
    }
  }
  '/beta/casework/notices': {
    /** List notices */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
          /**
           * waiting: for its first or next attempt. sent: the relay took it. bounced: it came back.
           * failed: the relay refused it, or all attempts failed. suppressed: its recipient gets no
           * mail, or it was cancelled. held: no relay is set, or the limit of the recipient is
           * reached; a digest sends it.
           */
          state?: Schemas['NoticeState']
          /** Only notices with this reason. */
          reason?: string
          /**
           * customer: the contact of its customer, by purpose. reporter: of the newest event, or
           * the one of `address`. other: the one of `address`.
           */
          party?: Schemas['NoticeParty']
          /**
           * receipt: to a reporter, that the report came. notice: to the customer, of abuse.
           * reminder: that the case is still open. outcome: to a reporter, how it ended.
           * statement_of_reasons: to the customer, why something was restricted. answer: a text of
           * a person. digest: notices that the limit of a day held back.
           */
          purpose?: Schemas['TemplatePurpose']
          /** Only those of this case. */
          case_id?: string
          /** Only those of this customer. */
          customer_id?: string
          /** The address, in any case. */
          recipient?: string
          /** The notices that a digest took up. */
          digest_id?: string
          /** Made at this time or later. */
          created_after?: string
          /** Made before this time. */
          created_before?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['NoticePage']
          }
        }
      }
    }
  }
  '/beta/casework/notices/{noticeId}': {
    /** Get a notice */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the notice. */
          noticeId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['NoticeDetail']
          }
        }
      }
    }
  }
  '/beta/casework/notices/{noticeId}/resend': {
    /** Send a notice again */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the notice. */
          noticeId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        202: {
          content: {
            'application/json': Schemas['NoticeDetail']
          }
        }
      }
    }
  }
  '/beta/casework/notices/{noticeId}/cancel': {
    /** Cancel a notice */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the notice. */
          noticeId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['NoticeDetail']
          }
        }
      }
    }
  }
  '/beta/casework/notice-limits': {
    /** Get the notice limits */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['NoticeLimits']
          }
        }
      }
    }
    /** Set the notice limits */
    put: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NoticeLimits']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['NoticeLimits']
          }
        }
      }
    }
  }
  '/beta/casework/suppressed-addresses': {
    /** List suppressed addresses */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SuppressedAddressPage']
          }
        }
      }
    }
  }
  '/beta/casework/suppressed-addresses/{address}': {
    /** Suppress an address */
    put: {
      parameters: {
        query?: never
        path: {
          /** The e-mail address. */
          address: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewSuppressedAddress']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['SuppressedAddress']
          }
        }
      }
    }
    /** Stop suppressing an address */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The e-mail address. */
          address: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/test-mails': {
    /** Send a test mail */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewTestMail']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['RelayTest']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/mitigations': {
    /** List the mitigations of a case */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
          /**
           * pending: not in force yet. active: in force. failed: refused, or all attempts failed.
           * removing: in force until it is undone. removed: no longer in force.
           */
          state?: Schemas['MitigationState']
        }
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['MitigationPage']
          }
        }
      }
    }
    /** Request a mitigation */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewMitigation']
        }
      }
      responses: {
        202: {
          content: {
            'application/json': Schemas['MitigationDetail']
          }
        }
      }
    }
  }
  '/beta/casework/mitigations': {
    /** List mitigations */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
          /**
           * pending: not in force yet. active: in force. failed: refused, or all attempts failed.
           * removing: in force until it is undone. removed: no longer in force.
           */
          state?: Schemas['MitigationState']
          /** What is done. */
          kind?: Schemas['MitigationKind']
          /** In canonical form. */
          target?: string
          /** Only mitigations by this adapter. */
          adapter?: string
          /** Only those of this case. */
          case_id?: string
          /** True: those whose removal does not get on by itself. */
          stuck?: boolean
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['MitigationPage']
          }
        }
      }
    }
  }
  '/beta/casework/mitigations/{mitigationId}': {
    /** Get a mitigation */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the mitigation. */
          mitigationId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['MitigationDetail']
          }
        }
      }
    }
  }
  '/beta/casework/mitigations/{mitigationId}/execute': {
    /** Retry a mitigation */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the mitigation. */
          mitigationId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        202: {
          content: {
            'application/json': Schemas['MitigationDetail']
          }
        }
      }
    }
  }
  '/beta/casework/mitigations/{mitigationId}/undo': {
    /** Undo a mitigation */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the mitigation. */
          mitigationId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        202: {
          content: {
            'application/json': Schemas['MitigationDetail']
          }
        }
      }
    }
  }
  '/beta/casework/mitigations/{mitigationId}/result': {
    /** Confirm a mitigation */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the mitigation. */
          mitigationId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['MitigationResult']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['MitigationDetail']
          }
        }
      }
    }
  }
  '/beta/casework/mitigation-adapters': {
    /** List mitigation adapters */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['MitigationAdapterList']
          }
        }
      }
    }
  }
  '/beta/casework/mitigation-adapters/{name}': {
    /** Get a mitigation adapter */
    get: {
      parameters: {
        query?: never
        path: {
          /** The name of the adapter. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['MitigationAdapter']
          }
        }
      }
    }
    /** Create or replace a mitigation adapter */
    put: {
      parameters: {
        query?: never
        path: {
          /** manual, or the name of an adapter: 1 to 64 letters, digits, hyphens, underscores. */
          name: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewMitigationAdapter']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['MitigationAdapter']
          }
        }
      }
    }
    /** Delete a mitigation adapter */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The name of the adapter. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/webhooks': {
    /** List webhooks */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['WebhookPage']
          }
        }
      }
    }
    /** Create a webhook */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewWebhook']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['WebhookSecret']
          }
        }
      }
    }
  }
  '/beta/webhooks/{webhookId}': {
    /** Get a webhook */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the webhook. */
          webhookId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Webhook']
          }
        }
      }
    }
    /** Change a webhook */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the webhook. */
          webhookId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['WebhookPatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Webhook']
          }
        }
      }
    }
    /** Delete a webhook */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the webhook. */
          webhookId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/webhooks/{webhookId}/rotate-secret': {
    /** Rotate the secret of a webhook */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the webhook. */
          webhookId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['WebhookSecret']
          }
        }
      }
    }
  }
  '/beta/webhooks/{webhookId}/test': {
    /** Send a test message */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the webhook. */
          webhookId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        202: {
          content: {
            'application/json': Schemas['QueuedDelivery']
          }
        }
      }
    }
  }
  '/beta/webhooks/{webhookId}/deliveries': {
    /** List the deliveries of a webhook */
    get: {
      parameters: {
        query?: {
          /**
           * waiting: for its first or next attempt. delivered: the receiver answered with 2xx.
           * dead: given up after the last attempt.
           */
          state?: Schemas['DeliveryState']
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** The id of the webhook. */
          webhookId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['DeliveryPage']
          }
        }
      }
    }
  }
  '/beta/webhooks/{webhookId}/deliveries/{deliveryId}': {
    /** Get a delivery */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the webhook. */
          webhookId: string
          /** The id of the delivery. */
          deliveryId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['DeliveryDetail']
          }
        }
      }
    }
  }
  '/beta/webhooks/{webhookId}/deliveries/{deliveryId}/replay': {
    /** Retry a delivery */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the webhook. */
          webhookId: string
          /** The id of the delivery. */
          deliveryId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        202: {
          content?: never
        }
      }
    }
  }
  '/beta/webhooks/{webhookId}/replay': {
    /** Retry dead deliveries */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the webhook. */
          webhookId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['DeliveryReplayRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['DeliveryReplay']
          }
        }
      }
    }
  }
  '/beta/casework/search': {
    /** Search customers, cases, reports and events */
    get: {
      parameters: {
        query: {
          /**
           * An address, range, domain, URL, e-mail address or id, also defanged; or words. Quotes
           * make any text words.
           */
          q: string
          /** Only records of this kind. */
          kind?: 'customer' | 'case' | 'report' | 'event'
          /** Entries on a page; 20 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same `q` and `kind`. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SearchResult']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/timeline': {
    /** List the timeline of a case */
    get: {
      parameters: {
        query?: {
          /**
           * Only these kinds, separated by commas: event, history, comment, notice, mitigation,
           * visit, attempt, report. All when left out.
           */
          kinds?: string
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path: {
          /** Id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Timeline']
          }
        }
      }
    }
  }
  '/beta/casework/views': {
    /** List saved views */
    get: {
      parameters: {
        query?: {
          /** cases: GET /beta/casework/cases. events: GET /beta/casework/events. */
          list?: Schemas['ListOfView']
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SavedViewPage']
          }
        }
      }
    }
    /** Save a view */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewSavedView']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['SavedView']
          }
        }
      }
    }
  }
  '/beta/casework/views/{viewId}': {
    /** Get a saved view */
    get: {
      parameters: {
        query?: never
        path: {
          /** Id of the view. */
          viewId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SavedView']
          }
        }
      }
    }
    /** Change a saved view */
    patch: {
      parameters: {
        query?: never
        path: {
          /** Id of the view. */
          viewId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['SavedViewChange']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['SavedView']
          }
        }
      }
    }
    /** Delete a saved view */
    delete: {
      parameters: {
        query?: never
        path: {
          /** Id of the view. */
          viewId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/stats': {
    /** Get time series and tops */
    get: {
      parameters: {
        query?: {
          /**
           * cases_opened: cases by their creation. cases_ended: cases by their last end, those that
           * were opened again left out. events: by the time of the abuse. reports: by their
           * arrival. cases_opened when left out.
           */
          metric?: Schemas['StatsMetric']
          /**
           * Cases: state, case_group, customer_id, severity, assignee_user_id, resolution,
           * close_reason. Events: event_type, customer_id, ip, domain, sender_email, resolved.
           * Reports: state, format, media_type, via.
           */
          by?: string
          /** In UTC; a week begins on Monday. */
          interval?: Schemas['StatsInterval']
          /** From this time on; 30 days before `to` when left out. */
          from?: string
          /** Before this time; now when left out. */
          to?: string
          /** Only events of this case. */
          case_id?: string
          /** Only cases or events of it. */
          customer_id?: string
          /** Only cases of this case group. */
          case_group?: string
          /** Only events of this type. */
          event_type?: string
          /** Number of values of `by`; 10 when left out. */
          limit?: number
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Stats']
          }
        }
      }
    }
  }
  '/beta/casework/stream': {
    /** Watch changes */
    get: {
      parameters: {
        query?: {
          /** Only these, with commas: `case`, `event`, `report`, `run`. */
          kinds?: string
          /**
           * Only changes of these names, with commas, such as `open,move,comment` of cases,
           * `stored` of events, `accepted` of reports, `failed` of runs.
           */
          what?: string
          /** Only changes of this case, of its events and of its runs. */
          case_id?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/event-stream': string
          }
        }
      }
    }
  }
  '/beta/casework/retention': {
    /** Get retention settings and what is due */
    get: {
      parameters: {
        query?: {
          /** Bytes of reports, from their arrival. */
          raw_report_days?: number
          /** Events that are in no open case, and the records of reports, from their arrival. */
          event_days?: number
          /** Ended cases with everything on them, from their end. */
          case_days?: number
          /**
           * The history of case groups and mute rules, and legal holds that were lifted, from then
           * on.
           */
          audit_days?: number
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Retention']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/hold': {
    /** Place a legal hold */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['LegalHoldReason']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['LegalHold']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/hold/lift': {
    /** Lift a legal hold */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['LegalHoldReason']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['LegalHold']
          }
        }
      }
    }
  }
  '/beta/casework/legal-holds': {
    /** List legal holds */
    get: {
      parameters: {
        query?: {
          /** Only legal holds that are in force. */
          in_force?: 'true'
          /** Only those of this case. */
          case_id?: string
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['LegalHoldPage']
          }
        }
      }
    }
  }
  '/beta/casework/erasures': {
    /** List erasures */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ErasurePage']
          }
        }
      }
    }
    /** Erase data about a person */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewErasure']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Erasure']
          }
        }
      }
    }
  }
  '/beta/casework/privacy-exports': {
    /** Export data about a person */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['PrivacyExportRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PrivacyExport']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/decisions': {
    /** Decide at a waiting node */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewDecision']
        }
      }
      responses: {
        202: {
          content: {
            'application/json': Schemas['Decision']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/triggers': {
    /** List waiting triggers of a case */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['WaitingTriggerPage']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/runs': {
    /** List the runs of a case */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RunPage']
          }
        }
      }
    }
    /** Start a playbook on a case */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewCaseRun']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['StartedRun']
          }
        }
      }
    }
  }
  '/beta/casework/cases/{caseId}/runs/{runId}': {
    /** Get a run of a case */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the case. */
          caseId: string
          /** The id of the run. */
          runId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RunDetail']
          }
        }
      }
    }
  }
  '/beta/casework/runs': {
    /** List runs */
    get: {
      parameters: {
        query?: {
          /** Only those in this state. */
          state?: Schemas['RunState']
          /** Only runs of this playbook. */
          playbook_id?: string
          /** Only those of this case. */
          case_id?: string
          /** Of the playbook that playbook_id names. */
          version?: number
          /** Id of a node of the playbook that playbook_id names: a token is there. */
          node?: string
          /** Only runs that wait for this party. */
          waits_for?: 'agent' | 'customer' | 'reporter' | 'third_party' | 'timer'
          /** In its state, or at its node, for at least this time, such as PT1H or P2D. */
          older_than?: string
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RunOfCasePage']
          }
        }
      }
    }
  }
  '/beta/casework/runs/{runId}': {
    /** Get a run */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the run. */
          runId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RunDetail']
          }
        }
      }
    }
  }
  '/beta/casework/runs/{runId}/cancel': {
    /** Cancel a run */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the run. */
          runId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['RunReason']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['RunOfCase']
          }
        }
      }
    }
  }
  '/beta/casework/runs/{runId}/pause': {
    /** Pause a run */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the run. */
          runId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['RunReason']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['RunOfCase']
          }
        }
      }
    }
  }
  '/beta/casework/runs/{runId}/resume': {
    /** Resume a run */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the run. */
          runId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['RunResumption']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['RunOfCase']
          }
        }
      }
    }
  }
  '/beta/casework/runs/{runId}/migrate': {
    /** Migrate a run to another version */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the run. */
          runId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['RunMigration']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['MigratedRun']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/{playbookId}/versions/{version}/migrate': {
    /** Migrate all runs of a version */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
          /** The number of the version. */
          version: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['RunMigrations']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['MigratedRuns']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/validate': {
    /** Validate a playbook */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['PlaybookGraph']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['PlaybookValidation']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/node-kinds': {
    /** List node kinds */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': {
              /** The entries. */
              items: readonly ({
                /** As `kind` of a node names it. */
                kind: string
                /** Its name for people. */
                title: string
                /** What it is for. */
                description: string
                /** The JSON Schema of `config` of such a node. */
                config: Readonly<Record<string, unknown>>
                /** A config that is valid. */
                example: Readonly<Record<string, unknown>>
                /**
                 * The paths of a node with the config of the example; empty for a node that ends
                 * the token. Some kinds let their config name the paths.
                 */
                paths: readonly (string)[]
                /** Those of the paths that a trigger may choose while a run waits at the node. */
                choices: readonly (string)[]
                /**
                 * It calls another system: the node may have `retry`, and its attempts are shown.
                 */
                calls: boolean
                /** Used where a node of a kind that calls has no `retry` of its own. */
                retry?: {
                  /** How often it was tried. */
                  attempts: number
                  /** The first pause, in seconds. */
                  seconds: number
                  /** The longest pause, in seconds. */
                  max_seconds: number
                }
              })[]
              /** All kinds are on one page. */
              next_cursor: ''
            }
          }
        }
      }
    }
  }
  '/beta/casework/playbooks': {
    /** List playbooks */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PlaybookPage']
          }
        }
      }
    }
    /** Create a playbook */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewPlaybook']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['PlaybookVersionStatus']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/{playbookId}': {
    /** Get a playbook */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PlaybookDetail']
          }
        }
      }
    }
    /** Rename a playbook */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['PlaybookName']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Playbook']
          }
        }
      }
    }
    /** Delete a playbook */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/playbooks/{playbookId}/retire': {
    /** Retire a playbook */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Playbook']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/{playbookId}/versions': {
    /** Add a version to a playbook */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewPlaybookVersion']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['PlaybookVersionStatus']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/{playbookId}/versions/{version}': {
    /** Get a version of a playbook */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
          /** The number of the version. */
          version: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PlaybookVersionDetail']
          }
        }
      }
    }
    /** Delete a draft version */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
          /** The number of the version. */
          version: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/playbooks/{playbookId}/versions/{version}/activate': {
    /** Activate a version */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
          /** The number of the version. */
          version: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ActivatedPlaybookVersion']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/{playbookId}/versions/{version}/export': {
    /** Export a version of a playbook */
    get: {
      parameters: {
        query?: {
          /** As Accept says when left out: YAML for application/yaml, else JSON. */
          format?: 'json' | 'yaml'
        }
        path: {
          /** The id of the playbook. */
          playbookId: string
          /** The number of the version. */
          version: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PlaybookDocument']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/import': {
    /** Import a playbook */
    post: {
      parameters: {
        query?: {
          /** Answers what would happen, and stores nothing. */
          dry_run?: boolean
        }
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['PlaybookImport']
          'application/yaml': ArrayBuffer | string
          'application/x-yaml': ArrayBuffer | string
          'text/yaml': string
          'text/x-yaml': string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['ImportedPlaybook']
          }
        }
        201: {
          content: {
            'application/json': Schemas['ImportedPlaybook']
          }
        }
      }
    }
  }
  '/schemas/playbook.json': {
    /** Get the JSON Schema of playbook documents */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/schema+json': {
              /** The dialect of JSON Schema. */
              '$schema': string
              /** Where the schema of a document is. */
              '$ref': string
            }
          }
        }
      }
    }
  }
  '/beta/casework/playbook-templates': {
    /** List shipped playbooks */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PlaybookTemplateList']
          }
        }
      }
    }
  }
  '/beta/casework/playbook-templates/{name}': {
    /** Get a shipped playbook */
    get: {
      parameters: {
        query?: {
          /** As Accept says when left out: YAML for application/yaml, else JSON. */
          format?: 'json' | 'yaml'
        }
        path: {
          /** The name of the playbook that ships. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PlaybookDocument']
          }
        }
      }
    }
  }
  '/beta/casework/calendars': {
    /** List calendars */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['CalendarList']
          }
        }
      }
    }
  }
  '/beta/casework/calendars/{name}': {
    /** Get a calendar */
    get: {
      parameters: {
        query?: never
        path: {
          /** The name of the calendar. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Calendar']
          }
        }
      }
    }
    /** Create or replace a calendar */
    put: {
      parameters: {
        query?: never
        path: {
          /** 1 to 64 lower-case letters, digits, hyphens or underscores. */
          name: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewCalendar']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Calendar']
          }
        }
      }
    }
    /** Delete a calendar */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The name of the calendar. */
          name: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/playbooks/simulate': {
    /** Simulate a playbook */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['GraphSimulationRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Simulation']
          }
        }
      }
    }
  }
  '/beta/casework/playbooks/{playbookId}/versions/{version}/simulate': {
    /** Simulate a version of a playbook */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the playbook. */
          playbookId: string
          /** The number of the version. */
          version: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['SimulationRequest']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Simulation']
          }
        }
      }
    }
  }
  '/beta/whoami': {
    /** Get the presented token */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Whoami']
          }
        }
      }
    }
    /** Revoke the token of a login */
    delete: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/tenants': {
    /** List tenants */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['TenantPage']
          }
        }
      }
    }
    /** Create a tenant */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewTenant']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['Tenant']
          }
        }
      }
    }
  }
  '/beta/admin/tenants/{tenantId}': {
    /** Get a tenant */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the tenant. */
          tenantId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Tenant']
          }
        }
      }
    }
    /** Change a tenant */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the tenant. */
          tenantId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['TenantPatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Tenant']
          }
        }
      }
    }
  }
  '/beta/admin/tokens': {
    /** List tokens */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['TokenPage']
          }
        }
      }
    }
    /** Create a token */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewToken']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['CreatedToken']
          }
        }
      }
    }
  }
  '/beta/admin/tokens/{tokenId}': {
    /** Revoke a token */
    delete: {
      parameters: {
        query?: {
          /** Revokes the last token that administers the instance too. */
          force?: boolean
        }
        path: {
          /** The id of the token, which is not the token itself. */
          tokenId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/tokens/{tokenId}/rotate': {
    /** Give a token a new secret */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the token, which is not the token itself. */
          tokenId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['TokenRotation']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['CreatedToken']
          }
        }
      }
    }
  }
  '/beta/admin/roles': {
    /** List roles */
    get: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RolePage']
          }
        }
      }
    }
    /** Create a role */
    post: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewRole']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['Role']
          }
        }
      }
    }
  }
  '/beta/admin/roles/{role}': {
    /** Get a role */
    get: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path: {
          /** The name of the role. */
          role: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Role']
          }
        }
      }
    }
    /** Change a role */
    patch: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path: {
          /** The name of the role. */
          role: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['RolePatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Role']
          }
        }
      }
    }
    /** Delete a role */
    delete: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path: {
          /** The name of the role. */
          role: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/service-accounts': {
    /** List service accounts */
    get: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ServiceAccountPage']
          }
        }
      }
    }
    /** Create a service account */
    post: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewServiceAccount']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['ServiceAccount']
          }
        }
      }
    }
  }
  '/beta/admin/service-accounts/{serviceAccountId}': {
    /** Get a service account */
    get: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path: {
          /** The id of the service account. */
          serviceAccountId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ServiceAccount']
          }
        }
      }
    }
    /** Change a service account */
    patch: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path: {
          /** The id of the service account. */
          serviceAccountId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['ServiceAccountPatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['ServiceAccount']
          }
        }
      }
    }
    /** Delete a service account */
    delete: {
      parameters: {
        query?: {
          /** The tenant; that of the caller when left out. Another one needs instance:admin. */
          tenant_id?: string
        }
        path: {
          /** The id of the service account. */
          serviceAccountId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/session/sign-in-ways': {
    /** Get the ways to sign in */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SignInWays']
          }
        }
      }
    }
  }
  '/beta/session': {
    /** Get the session */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['OwnSession']
          }
        }
      }
    }
    /** Sign in */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['SignIn']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['OwnSession']
          }
        }
        202: {
          content: {
            'application/json': Schemas['SecondFactorNeeded']
          }
        }
      }
    }
    /** Switch to another tenant */
    patch: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** The tenant. */
            tenant_id: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['OwnSession']
          }
        }
      }
    }
    /** Sign out */
    delete: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/session/second-factor': {
    /** Use a second factor */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['SecondFactor']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['OwnSession']
          }
        }
      }
    }
  }
  '/beta/session/second-factor/options': {
    /** Begin to use a passkey as second factor */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PasskeyRequest']
          }
        }
      }
    }
  }
  '/beta/session/password/forgotten': {
    /** Ask for a new password by mail */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['ForgottenPassword']
        }
      }
      responses: {
        202: {
          content?: never
        }
      }
    }
  }
  '/beta/session/password': {
    /** Change your password */
    put: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['PasswordChange']
        }
      }
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/session/links/check': {
    /** Look at a link */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['LinkToCheck']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['CheckedLink']
          }
        }
      }
    }
  }
  '/beta/session/links': {
    /** Use a link */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['LinkToRedeem']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['OwnSession']
          }
        }
        202: {
          content: {
            'application/json': Schemas['SecondFactorNeeded']
          }
        }
      }
    }
  }
  '/beta/admin/setup-link': {
    /** Make the link for the first person */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        201: {
          content: {
            'application/json': Schemas['UserLink']
          }
        }
      }
    }
  }
  '/beta/session/device': {
    /** Begin a login by code */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['DeviceLogin']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['DeviceCodes']
          }
        }
      }
    }
  }
  '/beta/session/device/token': {
    /** Get the token of a login by code */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['DeviceCode']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['DeviceToken']
          }
        }
      }
    }
  }
  '/beta/session/device/check': {
    /** Look at a login by code */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['UserCode']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['WaitingLogin']
          }
        }
      }
    }
  }
  '/beta/session/device/decision': {
    /** Approve or deny a login by code */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['LoginDecision']
        }
      }
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/session/providers/{providerId}/start': {
    /** Sign in with a provider */
    get: {
      parameters: {
        query?: {
          /**
           * The path of this site that the browser is sent to after the sign-in, with its query.
           * One that may lead elsewhere is left out.
           */
          next?: string
        }
        path: {
          /** The id of the provider, which is the name of its table in the settings. */
          providerId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
      }
    }
    /** Accept an invitation with a provider */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the provider, which is the name of its table in the settings. */
          providerId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['ProviderInvitation']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['ProviderUrl']
          }
        }
      }
    }
  }
  '/beta/session/providers/{providerId}/link': {
    /** Link an account of a provider */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the provider, which is the name of its table in the settings. */
          providerId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['ProviderUrl']
          }
        }
      }
    }
  }
  '/beta/session/providers/{providerId}/callback': {
    /** Come back from a provider */
    get: {
      parameters: {
        query?: {
          /** What the provider gives tokens for, once. */
          code?: string
          /** What the sign-in was begun with. */
          state?: string
          /** The issuer, where the provider says it (RFC 9207). */
          iss?: string
          /** Why the provider refuses. */
          error?: string
          /** The same for people; it is not shown. */
          error_description?: string
        }
        path: {
          /** The id of the provider, which is the name of its table in the settings. */
          providerId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
      }
    }
  }
  '/beta/session/identities': {
    /** List your accounts at providers */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['IdentityList']
          }
        }
      }
    }
  }
  '/beta/session/identities/{identityId}': {
    /** Unlink an account of a provider */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the link to an account of a provider. */
          identityId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/users/{userId}/identities': {
    /** List the accounts of a user at providers */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['IdentityList']
          }
        }
      }
    }
  }
  '/beta/admin/users/{userId}/identities/{identityId}': {
    /** Unlink an account of a user */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the user. */
          userId: string
          /** The id of the link to an account of a provider. */
          identityId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/sessions': {
    /** List your sessions */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SessionList']
          }
        }
      }
    }
  }
  '/beta/sessions/{sessionId}': {
    /** End one of your sessions */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the session, which is not its cookie. */
          sessionId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/session/factors': {
    /** Get your second factors */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Factors']
          }
        }
      }
    }
  }
  '/beta/session/proof': {
    /** Prove again who you are */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['SessionProof']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Factors']
          }
        }
      }
    }
  }
  '/beta/session/factors/totp': {
    /** Set up an authenticator app */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['TotpEnrolment']
          }
        }
      }
    }
    /** Remove the authenticator app */
    delete: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/session/factors/totp/confirm': {
    /** Confirm an authenticator app */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['TotpCode']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['AddedFactor']
          }
        }
      }
    }
  }
  '/beta/session/factors/recovery-codes': {
    /** Make new recovery codes */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['RecoveryCodes']
          }
        }
      }
    }
  }
  '/beta/session/passkeys/options': {
    /** Begin to sign in by a passkey */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PasskeyRequest']
          }
        }
      }
    }
  }
  '/beta/session/passkeys': {
    /** Sign in by a passkey */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['PasskeySignIn']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['OwnSession']
          }
        }
      }
    }
  }
  '/beta/session/factors/passkeys/options': {
    /** Begin to register a passkey */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['PasskeyCreation']
          }
        }
      }
    }
  }
  '/beta/session/factors/passkeys': {
    /** Register a passkey */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewPasskey']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['AddedFactor']
          }
        }
      }
    }
  }
  '/beta/session/factors/passkeys/{passkeyId}': {
    /** Rename a passkey */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the passkey. */
          passkeyId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['PasskeyName']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['Factors']
          }
        }
      }
    }
    /** Remove a passkey */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the passkey. */
          passkeyId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/users': {
    /** List users */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['UserPage']
          }
        }
      }
    }
    /** Invite a user */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['Invitation']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['InvitedUser']
          }
        }
      }
    }
  }
  '/beta/admin/users/{userId}': {
    /** Get a user */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['User']
          }
        }
      }
    }
    /** Change a user */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['UserPatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['User']
          }
        }
      }
    }
    /** Take a user out of a tenant */
    delete: {
      parameters: {
        query?: {
          /** The tenant of the caller when left out; another one needs instance:admin. */
          tenant_id?: string
        }
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/users/{userId}/links': {
    /** Make a new link for a user */
    post: {
      parameters: {
        query?: never
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        201: {
          content: {
            'application/json': Schemas['UserLink']
          }
        }
      }
    }
  }
  '/beta/admin/users/{userId}/sessions': {
    /** List the sessions of a user */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['SessionList']
          }
        }
      }
    }
    /** End sessions of a user */
    delete: {
      parameters: {
        query?: {
          /** All of them when left out. */
          session_id?: string
        }
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/users/{userId}/factors': {
    /** Get the second factors of a user */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['UserFactors']
          }
        }
      }
    }
    /** Remove all second factors of a user */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the user. */
          userId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/admin/groups': {
    /** List groups */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['UserGroupPage']
          }
        }
      }
    }
    /** Create a group */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['NewUserGroup']
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Schemas['UserGroup']
          }
        }
      }
    }
  }
  '/beta/admin/groups/{userGroupId}': {
    /** Get a group */
    get: {
      parameters: {
        query?: never
        path: {
          /** The id of the group of users. */
          userGroupId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['UserGroup']
          }
        }
      }
    }
    /** Change a group */
    patch: {
      parameters: {
        query?: never
        path: {
          /** The id of the group of users. */
          userGroupId: string
        }
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['UserGroupPatch']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['UserGroup']
          }
        }
      }
    }
    /** Delete a group */
    delete: {
      parameters: {
        query?: never
        path: {
          /** The id of the group of users. */
          userGroupId: string
        }
        header?: never
      }
      requestBody?: never
      responses: {
        204: {
          content?: never
        }
      }
    }
  }
  '/beta/casework/assignees': {
    /** List assignees */
    get: {
      parameters: {
        query?: {
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['AssigneePage']
          }
        }
      }
    }
  }
  '/beta/admin/audit': {
    /** List the audit log */
    get: {
      parameters: {
        query?: {
          /**
           * Whose chain; that of the caller when left out. Another one, and * for the chain of the
           * instance, needs instance:admin.
           */
          tenant_id?: string
          /** Kind of the object and verb. */
          act?: 'audit.forget' | 'backup.create' | 'backup.restore' | 'calendar.delete' | 'calendar.set' | 'case_group.change' | 'case_group.create' | 'case_group.delete' | 'contract.change' | 'contract.create' | 'contract.delete' | 'contract.import' | 'customer.change' | 'customer.create' | 'customer.delete' | 'customer.import' | 'demo.fill' | 'demo.remove' | 'erasure.create' | 'group.change' | 'group.create' | 'group.delete' | 'identity.link' | 'identity.unlink' | 'legal_hold.lift' | 'legal_hold.place' | 'login.approve' | 'login.deny' | 'mitigation_adapter.delete' | 'mitigation_adapter.set' | 'mute_rule.create' | 'mute_rule.end' | 'notice_limits.set' | 'owner_resolver.delete' | 'owner_resolver.set' | 'playbook.create' | 'playbook.delete' | 'playbook.rename' | 'playbook.retire' | 'playbook_version.activate' | 'playbook_version.create' | 'playbook_version.delete' | 'privacy_export.create' | 'report.download' | 'report.read' | 'report_address.delete' | 'report_address.set' | 'resource.change' | 'resource.create' | 'resource.delete' | 'resource.import' | 'role.change' | 'role.create' | 'role.delete' | 'schema.migrate' | 'secret.delete' | 'secret.set' | 'secret_key.change' | 'service_account.change' | 'service_account.create' | 'service_account.delete' | 'session.create' | 'session.end' | 'session.switch' | 'setup_link.create' | 'sighting_rule.change' | 'sighting_rule.delete' | 'sighting_rule.set' | 'source.delete' | 'source.set' | 'source_entry.delete' | 'suppressed_address.delete' | 'suppressed_address.set' | 'tag.delete' | 'tag.set' | 'template.delete' | 'template.set' | 'tenant.change' | 'tenant.create' | 'test_mail.send' | 'token.create' | 'token.replace' | 'token.revoke' | 'token.rotate' | 'trusted_reporter.delete' | 'trusted_reporter.set' | 'user.accept' | 'user.add_factor' | 'user.change' | 'user.change_factor' | 'user.create' | 'user.end_sessions' | 'user.invite' | 'user.link' | 'user.make_recovery_codes' | 'user.remove' | 'user.remove_factor' | 'user.remove_factors' | 'user.set_password' | 'user.use_recovery_code' | 'view.change' | 'view.create' | 'view.delete' | 'webhook.change' | 'webhook.create' | 'webhook.delete' | 'webhook.rotate_secret'
          /** Kind of the object. */
          object_kind?: 'audit' | 'backup' | 'calendar' | 'case_group' | 'contract' | 'customer' | 'demo' | 'erasure' | 'group' | 'identity' | 'legal_hold' | 'login' | 'mitigation_adapter' | 'mute_rule' | 'notice_limits' | 'owner_resolver' | 'playbook' | 'playbook_version' | 'privacy_export' | 'report' | 'report_address' | 'resource' | 'role' | 'schema' | 'secret' | 'secret_key' | 'service_account' | 'session' | 'setup_link' | 'sighting_rule' | 'source' | 'source_entry' | 'suppressed_address' | 'tag' | 'template' | 'tenant' | 'test_mail' | 'token' | 'trusted_reporter' | 'user' | 'view' | 'webhook'
          /** Id of the object; an address finds its keyed name. */
          object_id?: string
          /** Id of the actor. */
          actor_id?: string
          /** X-Request-Id of a request. */
          request_id?: string
          /** Done at or after this time. */
          at_after?: string
          /** Done before this time. */
          at_before?: string
          /** Entries on a page; 50 when left out. */
          limit?: number
          /** Direction of the sort; desc when left out. */
          order?: 'asc' | 'desc'
          /** The next_cursor of the page before, with the same filters, sort and order. */
          cursor?: string
        }
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['AuditEntryPage']
          }
        }
      }
    }
  }
  '/beta/admin/audit/verify': {
    /** Verify the audit log */
    post: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody: {
        content: {
          'application/json': Schemas['AuditVerification']
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Schemas['AuditReport']
          }
        }
      }
    }
  }
  '/livez': {
    /** Check liveness */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Liveness']
          }
        }
      }
    }
  }
  '/readyz': {
    /** Check readiness */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Readiness']
          }
        }
      }
    }
  }
  '/readyz/write': {
    /** Check readiness to write */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Schemas['Readiness']
          }
        }
      }
    }
  }
  '/metrics': {
    /** Get metrics */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/plain': string
          }
        }
      }
    }
  }
  '/openapi.json': {
    /** Get the OpenAPI document */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': {
              /** The version of OpenAPI. */
              openapi: string
            }
          }
        }
      }
    }
  }
  '/docs': {
    /** Open the reference */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/html': string
          }
        }
      }
    }
  }
  '/docs/reference.js': {
    /** Get the script of the reference */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/javascript': string
          }
        }
      }
    }
  }
  '/docs/start.js': {
    /** Get the settings of the reference */
    get: {
      parameters: {
        query?: never
        path?: never
        header?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/javascript': string
          }
        }
      }
    }
  }
}
