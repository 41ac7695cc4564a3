-- Row level security uses an index only for an expression that can tell nothing of other rows, and PostgreSQL does not count `coalesce` among those.

drop index customer_by_word;
create index customer_by_word on customer
  using gin (to_tsvector('simple', id || ' ' || case when name is null then '' else name end));

-- It is there only where the database has the extension (0070).
do $$
begin
  if to_regclass('customer_by_part') is not null then
    drop index customer_by_part;
    create index customer_by_part on customer
      using gin (lower(id || ' ' || case when name is null then '' else name end) gin_trgm_ops);
  end if;
end $$;
