-- The tokens of a tenant that are not revoked: counted whenever one is made, since their number is bounded for each tenant.

create index api_token_live on api_token (tenant_id, expires_at) where revoked_at is null;
