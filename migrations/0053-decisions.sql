-- Decisions of people at waiting nodes: forms, a second person, and triggers at any time (internals: playbook engine).

-- SHA-256 of the form that went along with a trigger; null for none.
alter table trigger_key add column form_hash text collate "C";
-- False: the first of two decisions, which moved nothing.
alter table trigger_key add column is_decided boolean not null default true;
-- The node at which a trigger began the token, while others of the run were elsewhere.
alter table run_token add column begun_at_node text collate "C";
