import type { DnsType } from '../../../contracts/index.ts';
import type { Process } from '../program.ts';
import { type Asked, askServers, type Exchange } from './ask-servers.ts';
import { addressesIn, DNS_PORT, decodeAnswer, encodeDns, fullyQualified } from './messages.ts';
import { parseResolverConfiguration, type ResolverConfiguration } from './resolv-conf.ts';

/** Thrown when a name cannot be resolved. */
export class UnknownHost extends Error {
  override readonly name = 'UnknownHost';
  /** `EAI_NONAME`: the name does not exist. `EAI_AGAIN`: no server gave an answer, and a later attempt may succeed. */
  readonly code: 'EAI_NONAME' | 'EAI_AGAIN';

  constructor(code: UnknownHost['code'], host: string) {
    super(
      `${host}: ${code === 'EAI_AGAIN' ? 'Temporary failure in name resolution' : 'Name or service not known'}`,
    );
    this.code = code;
  }
}

/**
 * Resolves a name from `/etc/hosts`, or else through the name servers of `/etc/resolv.conf`. An address resolves to
 * itself.
 *
 * Differs: every program behaves like glibc. Programs of images with musl ask all servers at once, and stop the search
 * at the first name for which a server fails.
 *
 * Upstream: bminor/glibc@glibc-2.41 nss/getaddrinfo.c getaddrinfo
 *
 * @throws UnknownHost when the name has no address
 */
export async function resolve(
  process: Pick<Process, 'files' | 'sendDatagram'>,
  host: string,
): Promise<readonly string[]> {
  if (isAddress(host)) return [host];
  const own = addressesInHosts(await read(process, '/etc/hosts', '127.0.0.1 localhost\n'), host);
  if (own.length > 0) return own;
  const configuration = parseResolverConfiguration(await read(process, '/etc/resolv.conf', ''));
  return search(host, configuration, exchangeOf(process));
}

/** Returns how a process asks a name server: over UDP. */
export function exchangeOf({ sendDatagram }: Pick<Process, 'sendDatagram'>): Exchange {
  return async (question, server, timeoutMs) =>
    decodeAnswer(await sendDatagram(encodeDns(question), { host: server, port: DNS_PORT, timeoutMs }));
}

/** Reads a file; returns `otherwise` if it does not exist. */
export function read({ files }: Pick<Process, 'files'>, path: string, otherwise: string): Promise<string> {
  return files.readFile(path).catch(() => otherwise);
}

/** Whether a host is an address and not a name. */
export function isAddress(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host) || host.includes(':');
}

/** Returns the addresses of a name from a file like `/etc/hosts`. Each line contains an address and its names. */
export function addressesInHosts(text: string, host: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((name) => name.toLowerCase() === host.toLowerCase()) && !address.includes(':')
      ? [address]
      : [];
  });
}

/**
 * Returns the fully qualified names that a name may stand for, in the order of the search. A name that ends with a dot
 * is fully qualified already.
 *
 * Upstream: bminor/glibc@glibc-2.41 resolv/res_query.c __res_context_search
 */
export function candidates(
  host: string,
  { searches, ndots }: Pick<ResolverConfiguration, 'searches' | 'ndots'>,
): readonly string[] {
  if (host.endsWith('.')) return [host];
  const dots = host.split('.').length - 1;
  const below = searches.map((domain) => fullyQualified(domain === '.' ? host : `${host}.${domain}`));
  const whole = `${host}.`;
  return [...new Set(dots >= ndots ? [whole, ...below] : [...below, whole])];
}

const FAMILIES: readonly DnsType[] = ['A', 'AAAA'];

/**
 * Tries one fully qualified name after the other until one has an address. Skips a name if it does not exist, has no
 * address, or all servers fail. Stops if no server answers.
 *
 * Upstream: bminor/glibc@glibc-2.41 resolv/res_query.c __res_context_search
 *
 * @throws UnknownHost when no name has an address
 */
export async function search(
  host: string,
  configuration: ResolverConfiguration,
  exchange: Exchange,
): Promise<readonly string[]> {
  let failed = false;
  for (const name of candidates(host, configuration)) {
    const asked = await Promise.all(
      FAMILIES.map((type) => askServers({ name, type }, configuration, exchange)),
    );
    const addresses = asked.flatMap((each) => (each.outcome === 'answered' ? addressesIn(each.message) : []));
    if (addresses.length > 0) return addresses;
    const came = (outcome: Asked['outcome']) => asked.some((each) => each.outcome === outcome);
    if (came('silent')) throw new UnknownHost('EAI_AGAIN', host);
    failed ||= came('failed');
  }
  throw new UnknownHost(failed ? 'EAI_AGAIN' : 'EAI_NONAME', host);
}
