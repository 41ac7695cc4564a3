-- What a version of a playbook is for, in the words of its author: part of the document that is exported and imported.

alter table playbook_version add column description text not null default '';
