/** The configuration of a program's resolver, from `/etc/resolv.conf`. */
export interface ResolverConfiguration {
  /** The name servers, in this order. */
  readonly servers: readonly string[];
  /** The domains that are appended to a name that is not fully qualified. */
  readonly searches: readonly string[];
  /** A name with at least this number of dots is first tried as it is. */
  readonly ndots: number;
  /** How long an answer may take, in seconds. */
  readonly timeoutSeconds: number;
  /** The number of attempts for each server. */
  readonly attempts: number;
}

/** Upstream: bminor/glibc@glibc-2.41 resolv/resolv.h MAXNS, RES_TIMEOUT, RES_DFLRETRY, RES_MAXNDOTS */
const SERVERS_MAX = 3;
const DEFAULTS = { ndots: 1, timeoutSeconds: 5, attempts: 2 };
const NDOTS_MAX = 15;

/**
 * Parses `/etc/resolv.conf`. Without a name server, the program asks its own host.
 *
 * Upstream: bminor/glibc@glibc-2.41 resolv/res_init.c res_vinit_1
 */
export function parseResolverConfiguration(text: string): ResolverConfiguration {
  const servers: string[] = [];
  let searches: readonly string[] = [];
  let options: readonly string[] = [];
  for (const line of text.split('\n')) {
    const [keyword = '', ...words] = line.trim().split(/\s+/);
    if (keyword === 'nameserver') servers.push(...words.slice(0, 1));
    else if (keyword === 'search' || keyword === 'domain') searches = words;
    else if (keyword === 'options') options = [...options, ...words];
  }
  const optionOf = (name: string): number | undefined => {
    const value = options.findLast((option) => option.startsWith(`${name}:`))?.slice(name.length + 1);
    return value === undefined ? undefined : Number(value);
  };
  return {
    servers: servers.length > 0 ? servers.slice(0, SERVERS_MAX) : ['127.0.0.1'],
    searches,
    ndots: Math.min(NDOTS_MAX, optionOf('ndots') ?? DEFAULTS.ndots),
    timeoutSeconds: optionOf('timeout') ?? DEFAULTS.timeoutSeconds,
    attempts: optionOf('attempts') ?? DEFAULTS.attempts,
  };
}
