import type { DnsMessage, DnsQuestion } from '../../../contracts/index.ts';
import { NetworkError } from '../../../contracts/node/index.ts';
import type { ResolverConfiguration } from './resolv-conf.ts';

/** Sends a question to one server once. @throws NetworkError when no answer arrives in time */
export type Exchange = (question: DnsQuestion, server: string, timeoutMs: number) => Promise<DnsMessage>;

/**
 * The outcome of a question. `failed`: every server that answered reported a failure. `silent`: no server answered in
 * time.
 */
export type Asked =
  | { readonly outcome: 'answered'; readonly message: DnsMessage }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'silent' };

/**
 * Asks the servers in turn, up to the configured attempts, until one answers. "No such name" counts as an answer. If a
 * server is unreachable or reports a failure, the next server follows at once.
 *
 * Upstream: bminor/glibc@glibc-2.41 resolv/res_send.c __res_context_send
 */
export async function askServers(
  question: DnsQuestion,
  {
    servers,
    timeoutSeconds,
    attempts,
  }: Pick<ResolverConfiguration, 'servers' | 'timeoutSeconds' | 'attempts'>,
  exchange: Exchange,
): Promise<Asked> {
  let failed = false;
  for (let attempt = 0; attempt < attempts; attempt++) {
    for (const [index, server] of servers.entries()) {
      const message = await exchange(
        question,
        server,
        patienceMs(index, servers.length, timeoutSeconds),
      ).catch((error: unknown) => {
        if (error instanceof NetworkError) return undefined;
        throw error;
      });
      if (message?.rcode === 'NOERROR' || message?.rcode === 'NXDOMAIN')
        return { outcome: 'answered', message };
      failed ||= message !== undefined;
    }
  }
  return { outcome: failed ? 'failed' : 'silent' };
}

/**
 * Returns the timeout for a server. The first server gets the configured timeout. It doubles for each later server,
 * divided by the number of servers.
 */
function patienceMs(index: number, servers: number, timeoutSeconds: number): number {
  const seconds = timeoutSeconds * 2 ** index;
  return 1_000 * Math.max(1, index === 0 ? seconds : Math.floor(seconds / servers));
}
