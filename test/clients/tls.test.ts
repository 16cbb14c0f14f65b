/** Every client speaks TLS with a server whose certificate it is told to trust, and with no other. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { serve, temporaryFolder, type Server } from "../cli/lectern.ts";
import { signed } from "../http/tls/certificates.ts";
import { describeWith, program } from "../requirements.ts";
import { describeClients } from "./clients.ts";

describeWith(program("openssl"))("with a certificate of an authority of its own", () => {
  const folder = temporaryFolder();
  let server: Server;
  let authority: string;

  beforeAll(async () => {
    // Deno trusts authorities alone, and no certificate that signed itself.
    const files = await signed(folder.path, "own", "DNS:localhost,IP:127.0.0.1");
    authority = files.authority;
    server = await serve(folder.dataDirectory, ["--tls-cert", files.certificate, "--tls-key", files.key]);
  });
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });

  describeClients((runtime) => {
    test("it is trusted where it is named, as the READMEs say, and refused where it is not", async () => {
      const options = { url: server.url, key: server.apiKey!, retries: 0 };
      const asked = { datasetId: "a", texts: { "a.txt": "A text." } };
      const named = { NODE_EXTRA_CA_CERTS: authority, DENO_CERT: authority, SSL_CERT_FILE: authority };
      const trusting = runtime.start(named);
      expect(await trusting.call(options, "upload", asked)).toMatchObject({ value: [{ originalName: "a.txt" }] });
      await trusting.stop();
      const careful = runtime.start();
      const { error } = await careful.call(options, "search", { datasetId: "a", question: "x" });
      expect(error).toMatchObject({ code: "UNREACHABLE", message: expect.stringMatching(/certificate|issuer/i) });
      await careful.stop();
    });
  });
});
