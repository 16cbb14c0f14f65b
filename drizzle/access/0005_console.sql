CREATE TABLE `consoleLinks` (
	`hash` blob PRIMARY KEY NOT NULL,
	`customerId` text,
	`incarnation` text,
	`expires` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `consolePassword` (
	`hash` text NOT NULL,
	`changed` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `consoleSessions` (
	`hash` blob PRIMARY KEY NOT NULL,
	`customerId` text,
	`incarnation` text,
	`keyId` text,
	`byLink` integer NOT NULL,
	`created` integer NOT NULL,
	`expires` integer NOT NULL
) WITHOUT ROWID;
