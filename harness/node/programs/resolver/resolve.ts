import type { DnsType } from '../../../contracts/index.ts';
import type { Process } from '../program.ts';
import { type Asked, askServers, type Exchange } from './ask-servers.ts';
import { addressesIn, DNS_PORT, decodeAnswer, encodeDns, fullyQualified } from './messages.ts';
import { parseResolverConfiguration, type ResolverConfiguration } from './resolv-conf.ts';

/** A name that has no address, as far as a program can find out. */
export class UnknownHost extends Error {
  override readonly name = 'UnknownHost';
  /** `EAI_NONAME`: there is none. `EAI_AGAIN`: no server answered, and later there may be one. */
  readonly code: 'EAI_NONAME' | 'EAI_AGAIN';

  constructor(code: UnknownHost['code'], host: string) {
    super(
      `${host}: ${code === 'EAI_AGAIN' ? 'Temporary failure in name resolution' : 'Name or service not known'}`,
    );
    this.code = code;
  }
}

/**
 * The addresses of a name: those of `/etc/hosts`, or else what the name servers of `/etc/resolv.conf` say. An address is its own.
 *
 * Differs: every program does as glibc does. Those of images with musl ask all servers at once, and end the search with the first name
 * that a server fails for.
 *
 * Upstream: bminor/glibc@glibc-2.41 nss/getaddrinfo.c getaddrinfo
 *
 * @throws UnknownHost
 */
export async function resolve(process: Process, host: string): Promise<readonly string[]> {
  if (isAddress(host)) return [host];
  const own = addressesInHosts(await read(process, '/etc/hosts', '127.0.0.1 localhost\n'), host);
  if (own.length > 0) return own;
  const configuration = parseResolverConfiguration(await read(process, '/etc/resolv.conf', ''));
  return search(host, configuration, exchangeOf(process));
}

/** How a process asks a name server: over UDP. */
export function exchangeOf({ sendDatagram }: Pick<Process, 'sendDatagram'>): Exchange {
  return async (question, server, timeoutMs) =>
    decodeAnswer(await sendDatagram(encodeDns(question), { host: server, port: DNS_PORT, timeoutMs }));
}

/** The text of a file; another one when it is not there. */
export function read({ files }: Pick<Process, 'files'>, path: string, otherwise: string): Promise<string> {
  return files.readFile(path).catch(() => otherwise);
}

/** Whether it is no name. */
export function isAddress(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host) || host.includes(':');
}

/** The addresses of a name in a file like `/etc/hosts`: an address a line, and its names. */
export function addressesInHosts(text: string, host: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((name) => name.toLowerCase() === host.toLowerCase()) && !address.includes(':')
      ? [address]
      : [];
  });
}

/**
 * The whole names that a name may stand for, in the order in which they are tried. A dot at its end says that it is whole.
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
 * Tries one whole name after the other, until one has an address. A name that does not exist, or has no address, or that all servers
 * fail for, is passed over. Servers that do not answer are not asked for the next name.
 *
 * Upstream: bminor/glibc@glibc-2.41 resolv/res_query.c __res_context_search
 *
 * @throws UnknownHost
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
