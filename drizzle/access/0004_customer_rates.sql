ALTER TABLE `customers` ADD `rateUpload` integer;--> statement-breakpoint
ALTER TABLE `customers` ADD `rateRetrieval` integer;--> statement-breakpoint
ALTER TABLE `customers` ADD `rateToken` integer;--> statement-breakpoint
ALTER TABLE `customers` ADD `rateFree` integer;