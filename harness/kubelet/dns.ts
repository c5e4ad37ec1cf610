import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';

/** The contents of a `resolv.conf`: how names are looked up. */
export interface ResolvConf {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** The DNS settings of a node. */
export interface DnsConfiguration {
  /** The addresses of the cluster's DNS servers. */
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
  /** The file with the node's own name servers. Empty if the node has none. */
  readonly resolvConf: string;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go MaxDNSNameservers, MaxDNSSearchPaths, MaxDNSSearchListChars */
const SERVERS_MAX = 3;
const SEARCHES_MAX = 32;
const SEARCH_CHARACTERS_MAX = 2048;
/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go DNS1123SubdomainMaxLength */
const NAME_CHARACTERS_MAX = 253;

/**
 * Without name servers the resolver asks the node itself, where no server listens.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/network/dns/dns.go GetPodDNS
 */
const NO_HOST: ResolvConf = { servers: ['127.0.0.1'], searches: ['.'], options: [] };

/** The recorder of events about a pod's DNS configuration, and the node whose kubelet reports them. */
interface Teller {
  /** The name of the node. */
  readonly node: string;
  readonly recorder: EventRecorder;
}

/**
 * Returns how the containers of a pod look up names.
 *
 * @param configuration.host the node's own `resolv.conf`; undefined if the kubelet does not read it
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/network/dns/dns.go Configurer.GetPodDNS
 */
export function podDns(
  pod: Pod,
  configuration: DnsConfiguration & { readonly host?: ResolvConf | undefined },
  teller: Teller,
): ResolvConf {
  const base = basis(pod, configuration, teller);
  const { dnsConfig } = pod.spec;
  return withinLimits(dnsConfig ? joined(base, dnsConfig) : base, pod, teller);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/network/dns/dns.go appendDNSConfig, mergeDNSOptions */
function joined(
  base: ResolvConf,
  { nameservers = [], searches = [], options = [] }: core.PodDNSConfig,
): ResolvConf {
  const all = new Map(base.options.map((option) => [nameOf(option), option]));
  for (const { name = '', value } of options) all.set(name, value ? `${name}:${value}` : name);
  return {
    servers: [...new Set([...base.servers, ...nameservers])],
    searches: [...new Set([...base.searches, ...searches])],
    options: [...all.values()],
  };
}

/** Returns the name of an option: `ndots` for `ndots:5`. */
function nameOf(option: string): string {
  return option.split(':')[0] as string;
}

function basis(
  pod: Pod,
  { clusterDNS, clusterDomain, host }: DnsConfiguration & { readonly host?: ResolvConf | undefined },
  { node, recorder }: Teller,
): ResolvConf {
  const { dnsPolicy = 'ClusterFirst', hostNetwork } = pod.spec;
  if (dnsPolicy === 'None') return { servers: [], searches: [], options: [] };
  const cluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork);
  if (!cluster) return host ?? NO_HOST;
  if (clusterDNS.length === 0) {
    const { name, namespace, uid } = pod.metadata;
    const message =
      'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
    recorder.event({ kind: 'Node', name: node, uid: node }, 'Warning', 'MissingClusterDNS', message);
    recorder.event(pod, 'Warning', 'MissingClusterDNS', `pod: "${name}_${namespace}(${uid})". ${message}`);
    return host ?? NO_HOST;
  }
  const { searches = [] } = host ?? {};
  return { servers: clusterDNS, searches: searchesOf(pod, clusterDomain, searches), options: ['ndots:5'] };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/network/dns/dns.go generateSearchesForDNSClusterFirst */
function searchesOf({ metadata }: Pod, clusterDomain: string, host: readonly string[]): readonly string[] {
  if (clusterDomain === '') return host;
  const domains = [`${metadata.namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain];
  return [...new Set([...domains, ...host])];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/network/dns/dns.go formDNSConfigFitsLimits */
function withinLimits(wanted: ResolvConf, pod: Pod, { recorder }: Teller): ResolvConf {
  const servers = wanted.servers.slice(0, SERVERS_MAX);
  let searches = wanted.searches.slice(0, SEARCHES_MAX).filter(({ length }) => length <= NAME_CHARACTERS_MAX);
  while (searches.join(' ').length > SEARCH_CHARACTERS_MAX) searches = searches.slice(0, -1);
  if (servers.length < wanted.servers.length) {
    tell(
      `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${servers.join(' ')}`,
    );
  }
  if (searches.length < wanted.searches.length) {
    tell(
      `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${searches.join(' ')}`,
    );
  }
  return { ...wanted, servers, searches };

  function tell(message: string): void {
    recorder.event(pod, 'Warning', 'DNSConfigForming', message);
  }
}

/**
 * Parses a file `resolv.conf`. The last `search` line counts, and the last value of each option.
 *
 * @throws Error when a `nameserver` line has no address
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/network/dns/dns.go parseResolvConf
 */
export function parseResolvConf(text: string): ResolvConf {
  const servers: string[] = [];
  let searches: readonly string[] = [];
  const options = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [keyword = '', ...words] = line.trim().split(/\s+/);
    if (keyword === 'nameserver') {
      const [server] = words;
      if (server === undefined) throw new Error('nameserver list is empty ');
      servers.push(server);
    } else if (keyword === 'search') {
      searches = words.filter((word) => word !== '.').map((word) => word.replace(/\.$/, ''));
    } else if (keyword === 'options') for (const option of words) options.set(nameOf(option), option);
  }
  return { servers, searches, options: [...options.values()] };
}

/**
 * Returns the hostname and the domain of a pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go GeneratePodHostNameAndDomain
 */
export function podHostname(
  { metadata, spec }: Pick<Pod, 'metadata' | 'spec'>,
  clusterDomain: string,
): { readonly hostname: string; readonly domain: string } {
  const { hostnameOverride } = spec as core.PodSpec & { hostnameOverride?: string };
  if (hostnameOverride) return { hostname: cut(hostnameOverride), domain: '' };
  const hostname = cut(spec.hostname || metadata.name);
  const domain = spec.subdomain ? `${spec.subdomain}.${metadata.namespace}.svc.${clusterDomain}` : '';
  return { hostname, domain };
}

/** Truncates a hostname to the kernel's limit, and removes characters that cannot end a hostname. */
function cut(hostname: string): string {
  return hostname.length <= HOSTNAME_CHARACTERS_MAX
    ? hostname
    : hostname.slice(0, HOSTNAME_CHARACTERS_MAX).replace(/[-.]+$/, '');
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go truncatePodHostnameIfNeeded */
const HOSTNAME_CHARACTERS_MAX = 63;

/**
 * Returns the hostname that the kernel of a pod reports: with the domain, if the pod sets `setHostnameAsFQDN`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/util/util.go GetNodenameForKernel
 *
 * @throws Error when the name is longer than the kernel allows
 */
export function kernelHostname(pod: Pick<Pod, 'metadata' | 'spec'>, clusterDomain: string): string {
  const { hostname, domain } = podHostname(pod, clusterDomain);
  if (domain === '' || !pod.spec.setHostnameAsFQDN) return hostname;
  const whole = `${hostname}.${domain}`;
  if (whole.length <= KERNEL_CHARACTERS_MAX) return whole;
  throw new Error(
    `failed to construct FQDN from pod hostname and cluster domain, FQDN ${whole} is too long (${KERNEL_CHARACTERS_MAX} characters is the max, ${whole.length} characters requested)`,
  );
}

const KERNEL_CHARACTERS_MAX = 64;

/**
 * Returns the content of `/etc/hosts` for a pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go managedHostsFileContent
 */
export function hostsFile(
  pod: Pick<Pod, 'metadata' | 'spec'>,
  ips: readonly string[],
  clusterDomain: string,
): string {
  const { hostname, domain } = podHostname(pod, clusterDomain);
  const names = domain ? `${hostname}.${domain}\t${hostname}` : hostname;
  const aliases = (pod.spec.hostAliases ?? []).map(
    ({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`,
  );
  return [
    '# Kubernetes-managed hosts file.\n',
    '127.0.0.1\tlocalhost\n',
    '::1\tlocalhost ip6-localhost ip6-loopback\n',
    'fe00::0\tip6-localnet\n',
    'fe00::0\tip6-mcastprefix\n',
    'fe00::1\tip6-allnodes\n',
    'fe00::2\tip6-allrouters\n',
    ...ips.map((ip) => `${ip}\t${names}\n`),
    ...(aliases.length > 0 ? ['\n# Entries added by HostAliases.\n', ...aliases] : []),
  ].join('');
}
