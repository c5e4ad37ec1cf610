import type { DnsMessage, DnsQuestion, DnsRcode } from '../../../contracts/index.ts';
import { NetworkError } from '../../../contracts/node/index.ts';
import type { Process } from '../program.ts';
import { parseResolverConfiguration } from '../resolver/resolv-conf.ts';
import { exchangeOf } from '../resolver/resolve.ts';

/**
 * How long one name server may take, and how long all of them may take together. Upstream: coredns/coredns@v1.14.2
 * plugin/forward/forward.go defaultTimeout, plugin/pkg/proxy/connect.go
 */
const READ_TIMEOUT_MS = 2_000;
const DEADLINE_MS = 5_000;

/**
 * Returns the name servers of a `forward` stanza.
 * @param to - addresses, or files like `/etc/resolv.conf`
 * @throws Error when it finds no name server
 */
export async function serversOf(to: readonly string[], { files }: Process): Promise<readonly string[]> {
  const servers = await Promise.all(
    to.map(async (each) =>
      each.startsWith('/') ? parseResolverConfiguration(await files.readFile(each)).servers : [each],
    ),
  );
  const all = servers.flat();
  if (all.length === 0) throw new Error('plugin/forward: no valid upstream addresses found');
  return all;
}

/**
 * Forwards a question to the name servers, one after the other, until one answers. Returns `SERVFAIL` if none answers.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/forward/forward.go ServeDNS
 */
export async function forward(
  question: DnsQuestion,
  servers: readonly string[],
  process: Process,
): Promise<DnsMessage> {
  const exchange = exchangeOf(process);
  const endMs = process.clock.now() + DEADLINE_MS;
  for (let i = 0; servers.length > 0 && process.clock.now() < endMs; i++) {
    const server = servers[i % servers.length] as string;
    try {
      return { ...(await exchange(question, server, READ_TIMEOUT_MS)), authoritative: false };
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      // All servers were tried, and none is reachable.
      if (error.code !== 'ETIMEDOUT' && i + 1 >= servers.length) break;
    }
  }
  return nothing(question, 'SERVFAIL');
}

function nothing(question: DnsQuestion, rcode: DnsRcode): DnsMessage {
  return { question, rcode, authoritative: false, answer: [], authority: [], additional: [] };
}
