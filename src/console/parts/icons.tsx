/** Small drawings beside words. They say nothing of their own, so that they are hidden from who listens. */

/** Paths in a square of 20. */
const DRAWINGS = {
  overview: "M3 11.5 10 4l7 7.5M5 10v6.5h10V10",
  customers:
    "M7.5 9a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM2.5 16.5c.2-3 2.2-5 5-5s4.8 2 5 5M13 4a2.6 2.6 0 0 1 0 5M14.5 12c1.8.6 2.9 2.2 3 4.5",
  usage: "M3.5 16.5h13M5.5 13.5V9M10 13.5V4M14.5 13.5V7",
  jobs: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6v4.3l2.8 1.7",
  models: "M10 2.8 16.5 6.4v7.2L10 17.2l-6.5-3.6V6.4ZM3.7 6.5 10 10l6.3-3.5M10 10v7",
  backups: "M3.5 5h13v3.5h-13ZM4.5 8.5v7h11v-7M8 11.5h4",
  log: "M4.5 3.5h11v13h-11ZM7 7h6M7 10h6M7 13h3.5",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4",
  datasets: "M3 6V4.5h5l1.5 2H17v9.5H3V6Z",
  account: "M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.3-3.2 2.7-5 6-5s5.7 1.8 6 5",
  key: "M12.5 11.5a4 4 0 1 0-3.6-2.3L3.5 14.5v2h2.3v-1.7h1.7v-1.8h1.7l1.1-1.2c.7.4 1.4.5 2.2.5M13.2 6.9h.01",
  lock: "M5 9h10v7.5H5ZM7 9V6.5a3 3 0 0 1 6 0V9",
  menu: "M3.5 6h13M3.5 10h13M3.5 14h13",
  close: "m5 5 10 10M15 5 5 15",
  upload: "M10 13V4M6.5 7.3 10 3.8l3.5 3.5M4 12.5v3.5h12v-3.5",
  download: "M10 4v9M6.5 9.7 10 13.2l3.5-3.5M4 13v3h12v-3",
  remove: "M4.5 6h11M8 6V4h4v2M6 6l.7 10.5h6.6L14 6",
  replace: "M4 9a6 6 0 0 1 10.5-3L16 7.5M16 4v3.5h-3.5M16 11a6 6 0 0 1-10.5 3L4 12.5M4 16v-3.5h3.5",
  copy: "M7.5 7.5h9v9h-9ZM4.5 12.5h-1v-9h9v1",
  add: "M10 4.5v11M4.5 10h11",
  file: "M5 3h6.5L15 6.5V17H5ZM11.5 3v3.5H15",
  light:
    "M10 13.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM10 2.5v1.8M10 15.7v1.8M2.5 10h1.8M15.7 10h1.8M4.7 4.7 6 6M14 14l1.3 1.3M4.7 15.3 6 14M14 6l1.3-1.3",
  dark: "M16 11.7A6.5 6.5 0 0 1 8.3 4 6.5 6.5 0 1 0 16 11.7Z",
  system: "M3 4h14v9H3ZM7.5 16.5h5M10 13v3.5",
  leave: "M8.5 4H4v12h4.5M8 10h9M14 7l3 3-3 3",
  retry: "M16 10a6 6 0 1 1-1.8-4.3L16 7.5M16 4v3.5h-3.5",
} as const;

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

/** The mark of the product. */
export function Mark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="mark-ground" />
      <path d="M6 9.5 16 12l10-2.5v9L16 21 6 18.5z" class="mark-book" />
      <path d="M16 12v9" class="mark-spine" />
      <path d="M14.8 22.5h2.4V26H21v1.8H11V26h3.8z" class="mark-foot" />
    </svg>
  );
}
