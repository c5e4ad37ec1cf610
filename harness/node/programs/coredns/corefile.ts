/** The parsed Corefile, with the plugins that this CoreDNS supports. */
export interface Corefile {
  /** The port of the server. */
  readonly port: number;
  /** The stanza `kubernetes`. Without it, CoreDNS serves no cluster. */
  readonly kubernetes?: KubernetesStanza;
  /** The targets of all other queries: addresses, or a file like `/etc/resolv.conf`. */
  readonly forward: readonly string[];
  /** How long it continues to answer after SIGTERM, in ms. If absent, `/health` is not served. */
  readonly lameduckMs?: number;
  /** Whether it serves `/ready`. */
  readonly ready: boolean;
  /** Whether it detects forwarding loops. */
  readonly loop: boolean;
  /** Whether it shuffles addresses. */
  readonly loadbalance: boolean;
}

/** Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/setup.go ParseStanza */
export interface KubernetesStanza {
  readonly zones: readonly string[];
  readonly pods: 'disabled' | 'insecure' | 'verified';
  /** In seconds. */
  readonly ttl: number;
  readonly fallthrough: readonly string[];
}

/** A line, and the lines in its braces. */
interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  readonly block: readonly Directive[];
}

/** Plugins that are accepted without an effect. */
const IGNORED = new Set(['errors', 'log', 'prometheus', 'cache', 'reload']);
const KNOWN = new Set(['kubernetes', 'forward', 'health', 'ready', 'loop', 'loadbalance', ...IGNORED]);

/**
 * Parses a Corefile with one server block.
 *
 * Differs: CoreDNS here has no cache and no metrics, and reads the file only once.
 *
 * @throws Error with CoreDNS's message when it would not start with this file
 *
 * Upstream: coredns/coredns@v1.14.2 corefile.5.md
 */
export function parseCorefile(text: string): Corefile {
  const [server, ...more] = directivesIn(text);
  if (!server || more.length > 0) throw new Error('Corefile: one server block is supported here');
  const unknown = server.block.find(({ name }) => !KNOWN.has(name));
  if (unknown) throw new Error(`Corefile: Unknown directive '${unknown.name}'`);
  const named = (name: string): Directive | undefined => server.block.find((each) => each.name === name);
  const kubernetes = named('kubernetes');
  const health = named('health');
  return {
    port: Number(/:(\d+)$/.exec(server.name)?.[1] ?? 53),
    ...(kubernetes && { kubernetes: stanzaOf(kubernetes) }),
    forward: named('forward')?.args.slice(1) ?? [],
    ...(health && { lameduckMs: durationMs(settingIn(health, 'lameduck')?.[0] ?? '0s') }),
    ready: named('ready') !== undefined,
    loop: named('loop') !== undefined,
    loadbalance: named('loadbalance') !== undefined,
  };
}

function stanzaOf(directive: Directive): KubernetesStanza {
  const zones = directive.args.map(fullyQualified);
  const [pods = 'disabled'] = settingIn(directive, 'pods') ?? [];
  if (pods !== 'disabled' && pods !== 'insecure' && pods !== 'verified') {
    throw new Error(`wrong value for pods: ${pods},  must be one of: disabled, verified, insecure`);
  }
  const [ttl = '5'] = settingIn(directive, 'ttl') ?? [];
  if (!/^\d+$/.test(ttl) || Number(ttl) > TTL_MAX) throw new Error(`ttl must be in range [0, 3600]: ${ttl}`);
  const passed = settingIn(directive, 'fallthrough');
  return {
    zones,
    pods,
    ttl: Number(ttl),
    // Without a zone, it applies to all zones.
    fallthrough: passed ? (passed.length > 0 ? passed.map(fullyQualified) : zones) : [],
  };
}

/** In seconds. */
const TTL_MAX = 3_600;

function settingIn({ block }: Directive, name: string): readonly string[] | undefined {
  return block.find((each) => each.name === name)?.args;
}

function fullyQualified(zone: string): string {
  return zone.endsWith('.') ? zone : `${zone}.`;
}

/** Parses a duration: `5s`, `500ms`. */
function durationMs(text: string): number {
  const [, number = '0', unit = 's'] = /^(\d+)(ms|s)$/.exec(text) ?? [];
  return Number(number) * (unit === 's' ? 1_000 : 1);
}

/** Parses the directives of a text, with their blocks. */
function directivesIn(text: string): readonly Directive[] {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
  return read();

  function read(): Directive[] {
    const found: Directive[] = [];
    for (let line = lines.shift(); line !== undefined && line !== '}'; line = lines.shift()) {
      const words = line.split(/\s+/);
      const opens = words.at(-1) === '{';
      const [name = '', ...args] = opens ? words.slice(0, -1) : words;
      found.push({ name, args, block: opens ? read() : [] });
    }
    return found;
  }
}
