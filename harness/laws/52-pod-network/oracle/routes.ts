import { isDeepStrictEqual } from 'node:util';
import type { Node } from '../../../api/objects.ts';
import { formatDestination, type Route } from '../../../node/network/stack/routes.ts';
import { CONFLIST, type SimNode } from '../simulation/node.ts';
import type { Findings } from './findings.ts';

/** Returns the gateway for each podCIDR of the other nodes, according to the API. */
export function routesOwedTo(
  { name: node }: Pick<SimNode, 'name'>,
  all: readonly Node[],
): ReadonlyMap<string, string> {
  const own = all.find(({ metadata }) => metadata.name === node);
  const owed = new Map<string, string>();
  if (!own?.spec.podCIDR) return owed;
  for (const { metadata, spec, status } of all) {
    const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    if (metadata.name === node || !spec.podCIDR || !address?.startsWith('192.168.0.')) continue;
    // A node's own pods are behind its bridge, even if other nodes claim its podCIDR.
    if (spec.podCIDR === own.spec.podCIDR) continue;
    owed.set(spec.podCIDR, address);
  }
  return owed;
}

/** Returns the routes of a node that are wrong at the end of the run. */
export function routeObjections(node: SimNode, all: readonly Node[]): readonly string[] {
  const { podCIDR } = node;
  const owed = routesOwedTo(node, all);
  const list = ownRoutes(node);
  const own = new Map(list);
  const twice = list.map(([dst]) => dst).filter((dst, i, each) => each.indexOf(dst) !== i);
  return [
    ...twice.map(
      (dst) =>
        `${node.name} has two routes to ${dst} (via ${list.flatMap(([to, via]) => (to === dst ? [via] : [])).join(' and via ')}); expected one, via ${owed.get(dst) ?? 'nothing'}`,
    ),
    ...[...owed].flatMap(([dst, gateway]) => {
      const is = own.get(dst);
      if (is === gateway) return [];
      return [
        `${node.name} has ${is === undefined ? 'no route' : `a route via ${is}`} to ${dst}; expected a route via ${gateway}, the InternalIP of ${ownerOf(dst, all)}`,
      ];
    }),
    ...[...own].flatMap(([dst, gateway]) =>
      owed.has(dst)
        ? []
        : [
            dst === podCIDR
              ? `${node.name} has a route to ${dst} via ${gateway}, but that is its own podCIDR, and its own pods are behind its bridge`
              : `${node.name} still has a route to ${dst} via ${gateway}, but no node has this podCIDR any more`,
          ],
    ),
  ];
}

/** Renders the node with a podCIDR, and a state that might make an agent skip it. */
function ownerOf(podCIDR: string, all: readonly Node[]): string {
  const owner = all.find(({ spec }) => spec.podCIDR === podCIDR);
  if (!owner) return 'no node';
  const { name, deletionTimestamp } = owner.metadata;
  const state = deletionTimestamp ? 'is being deleted' : owner.spec.unschedulable ? 'is cordoned' : '';
  return state === '' ? name : `${name}, which ${state} and still has its pods`;
}

/** Checks the configuration that a runtime would read now. */
export async function checkConflist(
  node: Pick<SimNode, 'name' | 'files' | 'podCIDR'>,
  findings: Findings,
): Promise<void> {
  const text = await node.files.readFile(CONFLIST).catch(() => undefined);
  if (text === undefined) return;
  findings.meet('configures');
  const subnet = /"subnet":\s*"([^"]+)"/.exec(text)?.[1];
  const isWhole = isJson(text);
  if (!isWhole)
    findings.break(
      'configures',
      `${CONFLIST} of ${node.name} contains incomplete JSON: write a temporary file and rename it`,
    );
  else if (subnet !== node.podCIDR)
    findings.break(
      'configures',
      `${CONFLIST} of ${node.name} has the subnet ${subnet}; expected ${node.podCIDR}`,
    );
}

/** Returns whether a route belongs to an agent, of any incarnation: without a metric. */
export function isAgents({ protocol, metric }: Route): boolean {
  return protocol === '17' && metric === 0;
}

/** Returns the gateways or links of the routes to pods of other nodes, by destination. */
export function ownRoutes({ machine }: Pick<SimNode, 'machine'>): readonly (readonly [string, string])[] {
  return machine.host.routes.routes
    .filter(isAgents)
    .map(({ dst, gateway, dev }) => [formatDestination(dst), gateway?.text ?? `${dev?.name}`] as const);
}

function isJson(text: string): boolean {
  try {
    return !isDeepStrictEqual(JSON.parse(text), {});
  } catch {
    return false;
  }
}
