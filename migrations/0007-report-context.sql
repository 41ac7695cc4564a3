-- What the reading of a report needs beside its bytes, so that a report which is read later, or again, is read the same.

alter table report add column fallback_reporter text;
