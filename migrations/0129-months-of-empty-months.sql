-- As 0127, for the function of 0119: a plan kept since a month had no events read all events that the tenant has in it, for a domain and the names
-- below it and for a range of addresses. In the order of the right index it costs least.

create or replace function find_months_of_events(tenant text, kind text, given text[]) returns table (low uuid, high uuid)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  most constant integer := 1000;
  ids uuid[];
begin
  case kind
    when 'case' then
      ids := array(select event_id from event where tenant_id = tenant and case_id = any(given) limit 1001);
    when 'customer' then
      ids := array(select event_id from event where tenant_id = tenant and customer_id = any(given) limit 1001);
    when 'ip' then
      ids := array(select event_id from event where tenant_id = tenant and ip = any(given) limit 1001);
    when 'domain' then
      ids := array(select event_id from event where tenant_id = tenant and domain = any(given) limit 1001);
    when 'sender' then
      ids := array(select event_id from event where tenant_id = tenant and lower(sender_email) = any(given) limit 1001);
    -- The conditions of these two are those of src/kernel/db/word-query.ts.
    when 'site' then
      ids := array(select event_id from event where tenant_id = tenant and domain is not null
        and reverse(domain) >= reverse(given[1]) and reverse(domain) < reverse(given[1]) || '/'
        order by reverse(domain) limit 1001);
    when 'range' then
      ids := array(select event_id from event where tenant_id = tenant and ip is not null
        and ip::inet >= host(network(given[1]::cidr))::inet and ip::inet <= host(broadcast(given[2]::cidr))::inet
        order by ip::inet limit 1001);
  end case;
  if cardinality(ids) > most then
    return query select '00000000-0000-0000-0000-000000000000'::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid;
    return;
  end if;
  -- As text, because the least of UUIDs is newer than PostgreSQL 15.
  return query
    select min(found.id)::uuid, max(found.id)::uuid
    from (
      select one::text collate "C" as id,
        to_timestamp(('x' || translate(left(one::text, 13), '-', ''))::bit(48)::bigint / 1000.0) at time zone 'UTC' as arrived
      from unnest(ids) as one
    ) as found
    group by date_trunc('month', found.arrived);
end
$$;
