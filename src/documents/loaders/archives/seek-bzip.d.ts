/** The part of the package that is used; it has no types of its own. */
declare module "seek-bzip" {
  const bunzip: {
    /** Throws where the input is damaged. `multistream`: streams after the first are read, too. */
    decode(input: Uint8Array, output: { writeByte(byte: number): void }, multistream: boolean): void;
  };
  export default bunzip;
}
