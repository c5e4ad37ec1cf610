import { type NetworkTools, shell, ToolError } from '#harness';
import type { Endpoint } from './endpoint.ts';
import type { ServicePort } from './service-port.ts';

/** A UDP flow in the kernel's connection table, with its original and its translated destination. */
interface Flow {
  readonly src: string;
  readonly sport: string;
  readonly dst: string;
  readonly dport: string;
  /** The source address of replies: `10.244.1.2:53`. */
  readonly answeredBy: string;
}

/** A service port with all its endpoints. */
interface Backed {
  readonly port: ServicePort;
  readonly all: readonly Endpoint[];
}

/**
 * Deletes UDP flows of services whose destination is not an endpoint any more, or was never translated because the flow
 * began before the rules existed. Only the first packet of a flow is matched against the rules, so a client that never
 * pauses would keep its flow forever. Flows to an endpoint that still serves stay, even if it gets no new ones.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/conntrack/cleanup.go CleanStaleEntries
 *
 * @throws ToolError when conntrack fails. The next call finds the remaining flows again
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
      // The flow has expired, or was deleted by a proxy that crashed before it got the response.
      if (error instanceof ToolError && /\b0 flow entries/.test(error.stderr)) return '';
      throw error;
    };
    const asked = ['--orig-src', src, '--sport', sport, '--orig-dst', dst, '--dport', dport];
    await $`conntrack -D -p udp ${asked}`.catch(isGone);
  }
}

/**
 * Returns the serving endpoints, by the `address:port` and by the nodePort of each service. A service without any is
 * left out: no other endpoint could take over its flows.
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

/**
 * Parses the output of `conntrack -L`: a line for each flow, first with its original addresses, then with those of its
 * replies.
 */
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
