CREATE TABLE `discardedDatasets` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`isNoted` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
DROP INDEX `files_customer`;