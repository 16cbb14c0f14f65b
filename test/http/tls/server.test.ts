/** A server that speaks TLS: to clients, to the command line of its own machine, and while its certificate changes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { startServer, type RunningServer } from "../../../src/http/server.ts";
import { Service } from "../../../src/http/service.ts";
import { readCertificate, type CertificateFiles } from "../../../src/http/tls/certificate.ts";
import { followCertificate } from "../../../src/http/tls/follow-certificate.ts";
import { createLog } from "../../../src/foundation/log.ts";
import { loadConfig } from "../../../src/options/config.ts";
import { lectern, serve, temporaryFolder, type Server } from "../../cli/lectern.ts";
import { startLectern, type TestServer } from "../../harness.ts";
import { describeWith, program } from "../../requirements.ts";
import { openssl, selfSigned, signed } from "./certificates.ts";

const withTls = ({ certificate, key }: CertificateFiles): string[] => ["--tls-cert", certificate, "--tls-key", key];

describeWith(program("openssl"))("serve with TLS", () => {
  const folder = temporaryFolder();
  let server: Server;
  let files: CertificateFiles;
  let ca: string;
  const ask = (path: string, key = server.apiKey!): Promise<Response> =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${key}` }, tls: { ca } });
  beforeAll(async () => {
    files = await selfSigned(folder.path, "own");
    ca = readFileSync(files.certificate, "utf8");
    server = await serve(folder.dataDirectory, withTls(files));
  });
  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  test("says its address, and what it is known by on this machine", async () => {
    expect(server.lines.at(-1)).toBe(`Lectern is ready at ${server.url}`);
    expect(server.url).toStartWith("https://127.0.0.1:");
    expect(JSON.parse(readFileSync(join(folder.dataDirectory, "server.json"), "utf8"))).toMatchObject({
      url: server.url,
      certificates: [ca.trim()],
    });
    expect((await ask("/readyz")).status).toBe(200);
    expect(await (await ask("/metrics")).text()).toMatch(/lectern_certificate_expires_seconds 1[0-9.e+]{9,}/);
  });

  test("the command line of its machine reaches it without further ado, and files have https links", async () => {
    const document = join(folder.path, "note.txt");
    writeFileSync(document, "The heron stands in the shallow water and waits.");
    const on = ["--data-dir", folder.dataDirectory];
    expect(await lectern(["ingest", document, "--dataset", "birds", ...on])).toMatchObject({ code: 0 });
    const found = await lectern(["search", "Where does the heron stand?", "--dataset", "birds", "--json", ...on]);
    const { fileId } = found.json()[0].metadata;
    const { permanentUrl } = ((await (await ask(`/v1/files/${fileId}`)).json()) as any).files[0];
    expect(permanentUrl).toStartWith(`${server.url}/v1/files/`);
    expect(await (await fetch(permanentUrl, { tls: { ca } })).text()).toContain("heron");
    expect((await lectern(["doctor", ...on])).stdout).toContain("is ready");
  });

  test("from elsewhere, the certificate is named or refused", async () => {
    const list = ["dataset", "list", "--url", server.url, "--key", server.apiKey!];
    expect(await lectern([...list, "--ca", files.certificate])).toMatchObject({ code: 0 });
    const unknown = await lectern(list);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("its certificate is self-signed; --ca FILE names one to trust");
    const { certificate } = await selfSigned(folder.path, "another");
    expect((await lectern([...list, "--ca", certificate])).code).toBe(1);
    const nothing = await lectern([...list, "--ca", files.key]);
    expect(nothing.code).toBe(2);
    expect(nothing.stderr).toContain("cannot be used as a certificate");
  });

  test("speaks TLS 1.2 and 1.3, nothing older and nothing plain", async () => {
    const trying = (version: string): Promise<boolean> =>
      openssl("s_client", "-cipher", "ALL:@SECLEVEL=0", version, "-connect", new URL(server.url).host).then(
        () => true,
        () => false,
      );
    expect(await Promise.all(["-tls1_1", "-tls1_2", "-tls1_3"].map(trying))).toEqual([false, true, true]);
    await expect(fetch(server.url.replace("https", "http"))).rejects.toThrow();
  });

  test("takes addresses as they are sent, as without TLS", async () => {
    const { port } = new URL(server.url);
    const statusOf = (method: string, address: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect({ port: Number(port), host: "127.0.0.1", ca }, () => {
          socket.write(`${method} ${address} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.apiKey}\r\n\r\n`);
        });
        socket.once("data", (bytes) => (socket.end(), resolve(String(bytes).slice(9, 12))));
        socket.once("error", reject);
      });
    expect(await statusOf("GET", "/v1/datasets?limit=1")).toBe("200");
    expect(await statusOf("DELETE", "/v1/datasets/../files")).toBe("404");
    expect(await statusOf("PUT", "/v1/datasets")).toBe("405");
  });

  test("a certificate of an authority, for another name, does for its machine's own commands", async () => {
    const other = temporaryFolder();
    const running = await serve(other.dataDirectory, withTls(await signed(other.path, "public")));
    expect(await lectern(["dataset", "list", "--data-dir", other.dataDirectory])).toMatchObject({ code: 0 });
    await running.stop();
    other.remove();
  });

  test("what cannot be used is refused before anything is made, and so is a port that another TLS server has", async () => {
    const other = temporaryFolder();
    const start = (...words: string[]) => lectern(["serve", "--data-dir", other.dataDirectory, ...words]);
    const half = await start("--port", "0", "--tls-cert", files.certificate);
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining("--tls-key is missing") });
    const wrong = await start("--port", "0", "--tls-cert", files.key, "--tls-key", files.key);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("holds no certificate") });
    expect(await Bun.file(join(other.dataDirectory, "secret")).exists()).toBe(false);
    const taken = await start("--port", new URL(server.url).port, ...withTls(files));
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining("another program listens there") });
    other.remove();
  });
});

describeWith(program("openssl"))("a certificate that changes", () => {
  const folder = temporaryFolder();
  const logLines: string[] = [];
  const announced: (readonly string[])[] = [];
  let engines: TestServer;
  let server: RunningServer;
  let files: CertificateFiles;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    engines = await startLectern();
    files = await selfSigned(folder.path, "first");
    const config = loadConfig({ flags: { port: "0", "data-dir": engines.directory }, environment: {} });
    const certificate = await readCertificate(files, new Date());
    server = startServer(new Service(engines.appliance, config), config, certificate);
    const log = createLog({ level: "info", format: "text", write: (line) => logLines.push(line) });
    const announce = (_url: string, certificates: readonly string[]): void => void announced.push(certificates);
    stop = followCertificate(files, certificate, { server, announce, log });
  });
  afterAll(async () => {
    await stop?.();
    await server?.stop(1);
    await engines?.stop();
    folder.remove();
  });

  const open = (): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(server.url);
      const socket = connect({ port: Number(port), host: "127.0.0.1", rejectUnauthorized: false }, () =>
        resolve(socket),
      );
      socket.on("error", reject);
    });
  const shown = async (): Promise<string> => {
    const socket = await open();
    socket.end();
    return String(socket.getPeerCertificate().subject.CN);
  };
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await Bun.sleep(50);
  };

  test("is taken up while requests run, and none of them is lost", async () => {
    let isOver = false;
    let answered = 0;
    // Keeps its connection until an answer says that it ends, as clients do; a request without an answer rejects.
    const client = async (): Promise<void> => {
      while (!isOver) {
        const socket = await open();
        for (let ends = false; !ends && !isOver; answered++) {
          const answer = new Promise<string>((resolve, reject) => {
            socket.once("data", (bytes) => resolve(String(bytes)));
            socket.once("close", () => reject(new Error("A connection was closed without an answer")));
          });
          socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
          const text = await answer;
          expect(text).toStartWith("HTTP/1.1 200");
          ends = /connection: close/i.test(text);
          socket.removeAllListeners("close");
        }
        socket.end();
      }
    };
    const clients = Array.from({ length: 8 }, client);
    const next = await selfSigned(folder.path, "second");
    copyFileSync(next.key, files.key);
    copyFileSync(next.certificate, files.certificate);
    await Promise.race([
      until(() => logLines.some((line) => line.includes("Took up another certificate"))),
      ...clients,
    ]);
    isOver = true;
    await Promise.all(clients);
    expect(answered).toBeGreaterThan(0);
    expect(await Promise.all(Array.from({ length: 10 }, shown))).toEqual(Array(10).fill("second"));
    expect(announced.map((certificates) => certificates.length)).toEqual([2, 1]);
    expect(announced.at(-1)).toEqual([readFileSync(next.certificate, "utf8").trim()]);
  });

  test("to nonsense is told, and the former one stays until there is a right one", async () => {
    writeFileSync(files.certificate, "nonsense");
    await until(() => logLines.some((line) => line.includes("the present certificate stays") && line.includes("PEM")));
    expect(await shown()).toBe("second");
    const third = await selfSigned(folder.path, "third", 20);
    copyFileSync(third.certificate, files.certificate);
    await until(() => logLines.some((line) => line.includes("is not the key of the certificate")));
    expect(await shown()).toBe("second");
    copyFileSync(third.key, files.key);
    await until(async () => (await shown()) === "third");
    await until(() => logLines.some((line) => /The certificate expires soon.* days=(19|20)/.test(line)));
    expect(logLines.filter((line) => line.includes("error"))).toHaveLength(2);
  });
});
