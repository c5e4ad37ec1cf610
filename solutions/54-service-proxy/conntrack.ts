import { type NetworkTools, shell, ToolError } from '#harness';
import type { Endpoint } from './endpoint.ts';
import type { ServicePort } from './service-port.ts';

/** A flow of datagrams that the kernel keeps to: where it goes, and where it really goes. */
interface Flow {
  readonly src: string;
  readonly sport: string;
  readonly dst: string;
  readonly dport: string;
  /** Where its answers come from: `10.244.1.2:53`. */
  readonly answeredBy: string;
}

/** A service port, and all its endpoints. */
interface Backed {
  readonly port: ServicePort;
  readonly all: readonly Endpoint[];
}

/**
 * Forgets flows of datagrams to services that go to what is no endpoint any more, or to nothing since they began before there were rules.
 * A rule is asked about the first packet of a flow alone, and a client that never pauses keeps its flow for ever. An endpoint that
 * still serves keeps its flows, whether or not it gets new ones.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/conntrack/cleanup.go CleanStaleEntries
 *
 * @throws ToolError when conntrack fails. What it has not forgotten is found again the next time
 */
export async function forgetStaleFlows(tools: NetworkTools, services: Iterable<Backed>): Promise<void> {
  const $ = shell(tools);
  const servingBy = servingByFrontend(services);
  if (servingBy.size === 0) return;
  for (const flow of parseFlows(await $`conntrack -L -p udp`)) {
    const serving = servingBy.get(`${flow.dst}:${flow.dport}`) ?? servingBy.get(flow.dport);
    if (!serving || serving.has(flow.answeredBy)) continue;
    const { src, sport, dst, dport } = flow;
    const isGone = (error: unknown): string => {
      // It has expired, or was forgotten by a proxy that died before it heard of it.
      if (error instanceof ToolError && /\b0 flow entries/.test(error.stderr)) return '';
      throw error;
    };
    const asked = ['--orig-src', src, '--sport', sport, '--orig-dst', dst, '--dport', dport];
    await $`conntrack -D -p udp ${asked}`.catch(isGone);
  }
}

/**
 * The endpoints that serve, by `address:port` of each service, and by its nodePort. A service without any is left out: its
 * flows have nowhere better to go.
 */
function servingByFrontend(services: Iterable<Backed>): ReadonlyMap<string, ReadonlySet<string>> {
  const servingBy = new Map<string, ReadonlySet<string>>();
  for (const { port, all } of services) {
    const serving = new Set(all.flatMap(({ isServing, address }) => (isServing ? [address] : [])));
    if (port.protocol !== 'udp' || serving.size === 0) continue;
    const ips = [port.clusterIP, ...port.externalIPs, ...port.loadBalancerIPs];
    for (const ip of ips) servingBy.set(`${ip}:${port.port}`, serving);
    if (port.nodePort !== undefined) servingBy.set(`${port.nodePort}`, serving);
  }
  return servingBy;
}

/** Reads what `conntrack -L` prints: a line each, first the ends as the flow was opened, then those of its answers. */
function parseFlows(printed: string): readonly Flow[] {
  return printed.split('\n').flatMap((line) => {
    const valuesOf = (name: string): readonly string[] =>
      [...line.matchAll(new RegExp(`\\b${name}=(\\S+)`, 'g'))].map(([, value = '']) => value);
    const [src, answerer] = valuesOf('src');
    const [dst] = valuesOf('dst');
    const [sport, answeringPort] = valuesOf('sport');
    const [dport] = valuesOf('dport');
    if (!src || !dst || !sport || !dport) return [];
    return [{ src, sport, dst, dport, answeredBy: `${answerer}:${answeringPort}` }];
  });
}
