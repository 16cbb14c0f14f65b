CREATE TABLE `chunkTokens` (
	`chunkId` integer PRIMARY KEY NOT NULL,
	`tokens` blob NOT NULL
);
