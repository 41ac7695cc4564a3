-- The person who wrote a comment, by id: the name is looked up when the comment is shown, so nothing has to be found and
-- replaced when the person leaves. `author` holds the id too then; for tokens, playbooks and mail it stays a text.
alter table case_comment add column author_user_id text collate "C";
