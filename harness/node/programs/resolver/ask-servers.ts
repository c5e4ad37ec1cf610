import type { DnsMessage, DnsQuestion } from '../../../contracts/index.ts';
import { NetworkError } from '../../../contracts/node/index.ts';
import type { ResolverConfiguration } from './resolv-conf.ts';

/** Asks one server once. @throws NetworkError when there is no answer in time */
export type Exchange = (question: DnsQuestion, server: string, timeoutMs: number) => Promise<DnsMessage>;

/** What came of a question. `failed`: each server that answered could not say anything. `silent`: none answered in time. */
export type Asked =
  | { readonly outcome: 'answered'; readonly message: DnsMessage }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'silent' };

/**
 * Asks the servers one after the other, and all of them as often as they may be asked, until one knows something: that a name does not
 * exist is something, too. A server that cannot be reached, or says that it failed, is passed over at once.
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

/** The patience with a server: more with a later one, and less where there are more. */
function patienceMs(index: number, servers: number, timeoutSeconds: number): number {
  const seconds = timeoutSeconds * 2 ** index;
  return 1_000 * Math.max(1, index === 0 ? seconds : Math.floor(seconds / servers));
}
