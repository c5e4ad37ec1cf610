import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';

/** How names are looked up. */
export interface ResolvConf {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** What a node knows of names. */
export interface DnsConfiguration {
  /** The addresses of the cluster's DNS. */
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
  /** What the node itself has in `/etc/resolv.conf`. */
  readonly host: ResolvConf;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go MaxDNSNameservers, MaxDNSSearchPaths, MaxDNSSearchListChars */
const SERVERS_MAX = 3;
const SEARCHES_MAX = 32;
const SEARCH_CHARACTERS_MAX = 2048;

/**
 * How the containers of a pod look up names.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/network/dns/dns.go Configurer.GetPodDNS
 */
export function podDns(pod: Pod, configuration: DnsConfiguration, recorder: EventRecorder): ResolvConf {
  const { dnsConfig } = pod.spec;
  const base = basis(pod, configuration, recorder);
  const options = new Map(base.options.map((option) => [option.split(':')[0], option]));
  for (const { name = '', value } of dnsConfig?.options ?? []) {
    options.set(name, value === undefined ? name : `${name}:${value}`);
  }
  const wanted = {
    servers: [...new Set([...base.servers, ...(dnsConfig?.nameservers ?? [])])],
    searches: [...new Set([...base.searches, ...(dnsConfig?.searches ?? [])])],
    options: [...options.values()],
  };
  return withinLimits(wanted, pod, recorder);
}

function basis(
  pod: Pod,
  { clusterDNS, clusterDomain, host }: DnsConfiguration,
  recorder: EventRecorder,
): ResolvConf {
  const { dnsPolicy = 'ClusterFirst', hostNetwork } = pod.spec;
  if (dnsPolicy === 'None') return { servers: [], searches: [], options: [] };
  const cluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork);
  if (!cluster) return host;
  if (clusterDNS.length === 0) {
    recorder.event(
      pod,
      'Warning',
      'MissingClusterDNS',
      `pod: "${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})". kubelet does not have ClusterDNS IP configured and cannot create Pod using "${dnsPolicy}" policy. Falling back to "Default" policy.`,
    );
    return host;
  }
  const domains = [`${pod.metadata.namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain];
  return {
    servers: clusterDNS,
    searches: [...new Set([...domains, ...host.searches])],
    options: ['ndots:5'],
  };
}

function withinLimits(wanted: ResolvConf, pod: Pod, recorder: EventRecorder): ResolvConf {
  const servers = wanted.servers.slice(0, SERVERS_MAX);
  let searches = wanted.searches.slice(0, SEARCHES_MAX);
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
 * What a pod calls itself.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go GeneratePodHostNameAndDomain
 */
export function podHostname(
  { metadata, spec }: Pick<Pod, 'metadata' | 'spec'>,
  clusterDomain: string,
): { readonly hostname: string; readonly domain: string } {
  const { hostnameOverride } = spec as core.PodSpec & { hostnameOverride?: string };
  if (hostnameOverride) return { hostname: hostnameOverride, domain: '' };
  // The kernel takes no longer one; what is cut off must not end in what a name may not end in.
  const hostname = spec.hostname || metadata.name.slice(0, 63).replace(/[-.]+$/, '');
  const domain = spec.subdomain ? `${spec.subdomain}.${metadata.namespace}.svc.${clusterDomain}` : '';
  return { hostname, domain };
}

/**
 * The file `/etc/hosts` of a pod.
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
