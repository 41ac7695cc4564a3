-- Evidence that goes with a notice: for whom it is redacted, and the texts as they are sent.
alter table notice
  add column evidence_profile text collate "C" check (evidence_profile in ('customer', 'reporter', 'authority')),
  -- Written before the first attempt; null where there is none.
  add column evidence jsonb;
