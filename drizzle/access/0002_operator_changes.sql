CREATE TABLE `operatorChanges` (
	`count` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `operatorChanges` SELECT (SELECT count(*) FROM `customers`) + (SELECT count(*) FROM `apiKeys`);
