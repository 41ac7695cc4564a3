-- Where the next retry of unanswered events begins (0015). A turn is bounded: as each began with the oldest event, those past its bound had none while
-- the resolver had no answer for the events before them.

-- The last event of the turn before; null when that one came to the end.
alter table owner_resolver add column retry_after_id uuid;
