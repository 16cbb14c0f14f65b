/** The smaller builds of pdf.js have no types of their own. */
declare module "pdfjs-dist/build/pdf.worker.min.mjs";
declare module "pdfjs-dist/build/pdf.min.mjs";
