CREATE TABLE `apiKeys` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`name` text,
	`hash` blob NOT NULL,
	`created` integer NOT NULL,
	`revoked` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `apiKeys_hash` ON `apiKeys` (`hash`);--> statement-breakpoint
CREATE INDEX `apiKeys_customer` ON `apiKeys` (`customerId`);--> statement-breakpoint
CREATE TABLE `charges` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`thousandths` integer NOT NULL,
	`operation` text NOT NULL,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `charges_customer` ON `charges` (`customerId`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`created` integer NOT NULL,
	`balanceThousandths` integer,
	`removed` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `rateWindows` (
	`customerId` text NOT NULL,
	`bucket` text NOT NULL,
	`windowStart` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`customerId`, `bucket`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage` (
	`customerId` text NOT NULL,
	`day` text NOT NULL,
	`operation` text NOT NULL,
	`count` integer NOT NULL,
	`thousandths` integer NOT NULL,
	PRIMARY KEY(`customerId`, `day`, `operation`)
) WITHOUT ROWID;
