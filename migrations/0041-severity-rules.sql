-- What a case group may decide besides: the severity of a new case by conditions, and relapses that only join the case that has ended.

alter table case_group
  -- [{condition, severity}]: the first condition that matches the event that opens the case; without a match the column severity counts.
  add column severity_rules jsonb,
  drop constraint case_group_relapse_check,
  add constraint case_group_relapse_check check (relapse in ('reopen', 'link', 'new', 'attach_only'));
