-- The page that a person asked for before the sign-in with a provider.
alter table provider_try add column next_page text;
