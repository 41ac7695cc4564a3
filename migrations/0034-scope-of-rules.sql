-- Case groups and mute rules were written with playbooks:activate and are with rules:write from now on: the tokens that could
-- write them still can.

update api_token set scopes = scopes || '{rules:write}'
where 'playbooks:activate' = any (scopes) and not 'rules:write' = any (scopes) and revoked_at is null;
