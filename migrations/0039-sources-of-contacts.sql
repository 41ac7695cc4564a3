-- Contacts that were pushed under a source are listed and removed with it. The sources of contacts that are there already get their rows.

insert into intel_source (kind, name)
select 'contact', source from (
  select source from contact_range union select source from contact_domain
) as known
on conflict (kind, name) do nothing;
