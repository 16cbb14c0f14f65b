/** Reads strace's lines of connect, sendto and sendmsg. */

const DNS_PORT = "53";

/** The lines that name an address beyond loopback, or a name server anywhere. Unix and netlink sockets stay inside the machine. */
export function strangeAddresses(lines: readonly string[]): string[] {
  return lines.filter((line) => {
    const family = /sa_family=(AF_\w+)/.exec(line)?.[1];
    if (family !== "AF_INET" && family !== "AF_INET6") return false;
    const address = /inet_addr\("([^"]+)"\)/.exec(line)?.[1] ?? /inet_pton\(AF_INET6, "([^"]+)"/.exec(line)?.[1] ?? "";
    const port = /sin6?_port=htons\((\d+)\)/.exec(line)?.[1];
    return port === DNS_PORT || !(/^(::ffff:)?127\./.test(address) || address === "::1");
  });
}
