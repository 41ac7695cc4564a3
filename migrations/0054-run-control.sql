-- Runs that people cancel, pause and resume (internals: playbook engine).

-- The visit whose key the effect of this visit has: of a visit that a person has resumed without sending its effect anew. Null: its own.
alter table run_token add column key_visit integer;
-- Since when a paused run is paused.
alter table run add column paused_at timestamptz(3);
