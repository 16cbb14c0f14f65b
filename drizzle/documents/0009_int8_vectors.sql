-- No table changes: from here on vectors are stored as int8, which programs that do not know this migration cannot read.
SELECT 1;
