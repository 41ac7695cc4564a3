-- Sending notices, keeping webhooks and managing people and roles have scopes of their own: the tokens that could do so still can.

update api_token set scopes = scopes || '{notices:send}'
where 'cases:write' = any (scopes) and not 'notices:send' = any (scopes) and revoked_at is null;
update api_token set scopes = scopes || '{webhooks:manage}'
where 'tenant:admin' = any (scopes) and not 'webhooks:manage' = any (scopes) and revoked_at is null;
update api_token set scopes = scopes || '{users:manage}'
where 'tenant:admin' = any (scopes) and not 'users:manage' = any (scopes) and revoked_at is null;
