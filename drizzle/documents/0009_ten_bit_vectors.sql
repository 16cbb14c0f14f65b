-- No table changes: from here on vectors are stored in ten bits a component, which programs that do not know this migration cannot read.
SELECT 1;
