import { formatPrefix } from '../../../api/ip-prefix.ts';
import { chainName } from '../../../node/cni/names.ts';
import type { Link } from '../../../node/network/stack/link.ts';
import type { NetworkNamespace } from '../../../node/network/stack/namespace.ts';
import { namespaceOf } from '../../../node/network/stack/namespace.ts';
import { formatDestination } from '../../../node/network/stack/routes.ts';
import { type Attachment, addressOf, type SimNode } from '../simulation/node.ts';
import { ownerOf, reservations, UNKNOWN_OWNER } from '../simulation/scripted-ipam.ts';

/** Lists the rules of the table nat: `-A POSTROUTING -s 10.244.1.2/32 -j CNI-1`. */
export function natRules({ netfilter }: NetworkNamespace): readonly string[] {
  const { chains } = netfilter[4].tables.nat;
  return [...chains].flatMap(([chain, { rules }]) => rules.map(({ text }) => `-A ${chain} ${text}`));
}

/** Renders the network of a pod: its namespace, its bridge port, its rules. */
export function partOf({ machine }: SimNode, one: Attachment): string {
  const { namespace } = one;
  const address = addressOf(one);
  const links = [...namespace.links.values()].filter(({ kind }) => kind !== 'loopback');
  const ends = links.flatMap(({ peer }) => peer ?? []);
  return [
    ...links.map(describe),
    ...routesOf(namespace),
    ...ends.map(
      (end) => `${describe(end)} master ${end.master?.name ?? 'none'} hairpin ${end.hairpin ? 'on' : 'off'}`,
    ),
    ...natRules(machine.host).filter(mentions(one.attachment.containerID, address)),
  ].join('\n');
}

/** Returns the first line that only one of two descriptions has. */
export function difference(before: string, after: string): string {
  const [was, is] = [before, after].map((text) => text.split('\n').filter(Boolean)) as [string[], string[]];
  const lost = was.find((line) => !is.includes(line));
  const come = is.find((line) => !was.includes(line));
  if (lost !== undefined && come !== undefined) return `"${lost}" became "${come}"`;
  return lost === undefined ? `"${come ?? ''}" is new` : `"${lost}" is gone`;
}

/**
 * Lists the parts of attachments that a machine should not have.
 *
 * @param known - attachments that may have parts
 * @param deleted - the attachment whose remains are expected; the message names the owner of all others
 */
export async function strangersOn(
  node: SimNode,
  known: readonly Attachment[],
  deleted?: Attachment,
): Promise<readonly string[]> {
  const { host } = node.machine;
  const namespaces = new Set(known.map(({ namespace }) => namespace));
  const ids = new Set(known.map(({ attachment }) => attachment.containerID));
  const owners = new Set([UNKNOWN_OWNER, ...known.map(({ attachment }) => ownerOf(attachment))]);
  const links = [...host.links.values()].filter(
    (link) =>
      link.kind === 'veth' &&
      link !== node.foreignPort &&
      !(link.peer && (namespaces.has(namespaceOf(link.peer)) || link.peer === node.foreignPort)),
  );
  const rules = natRules(host);
  const owned = rules.filter((rule) => {
    const id = /id: \\"([^"\\]+)\\"/.exec(rule)?.[1];
    return id !== undefined && !ids.has(id);
  });
  const network = (await node.conflist())?.name ?? 'cbr0';
  const theirs = new Set([...ids].flatMap((id) => [chainName(network, id), chainName(network, id, 'DN-')]));
  const chains = [...host.netfilter[4].tables.nat.chains.keys()].filter(
    (name) => /^CNI-(DN-)?[0-9a-f]{20,}$/.test(name) && !theirs.has(name),
  );
  const held = (await reservations(node.files, network)).filter(
    ([name, owner]) => /^\d/.test(name) && !owners.has(owner.replace('\r\n', ' ')),
  );
  const whose = (isIts: (one: Attachment) => boolean): string => {
    const one = node.attachments.find(isIts);
    if (!one || one === deleted) return '';
    const { pod, attachment, befell } = one;
    return ` of ${pod} (container ${attachment.containerID}${befell.length > 0 ? `: ${befell.join(', ')}` : ''})`;
  };
  const isChainOf = (chain: string, { attachment: { containerID } }: Attachment): boolean =>
    [chainName(network, containerID), chainName(network, containerID, 'DN-')].includes(chain);
  return [
    ...links.map(
      ({ name, peer }) =>
        `interface ${name}${whose(({ namespace }) => peer !== undefined && namespaceOf(peer) === namespace)}`,
    ),
    ...owned.map(
      (rule) =>
        `rule ${rule}${whose(({ attachment }) => rule.includes(`id: \\"${attachment.containerID}\\"`))}`,
    ),
    ...chains.map((name) => `chain ${name}${whose((one) => isChainOf(name, one))}`),
    ...held.map(
      ([address, owner]) =>
        `the reservation of ${address} for ${owner}${whose(({ attachment }) => ownerOf(attachment) === owner)}`,
    ),
  ];
}

/** Returns the state of a machine without bridges, the agent's part, and the parts that all pods share. */
export function restOf({ machine, foreignPort }: SimNode): readonly string[] {
  const { host } = machine;
  const bridges = [...host.links.values()].filter((link) => link.bridge);
  const links = [...host.links.values()].filter(
    (link) => !link.bridge && link !== foreignPort && link.peer !== foreignPort,
  );
  const routes = host.routes.routes.filter(
    ({ dev, protocol }) =>
      protocol !== '17' && protocol !== 'static' && !bridges.some((bridge) => bridge === dev),
  );
  return [
    ...links.map(describe),
    ...routes.map(({ dst, gateway, type }) => `${type} ${formatDestination(dst)} via ${gateway?.text}`),
    ...natRules(host).filter((rule) => !/FLANNEL-POSTRTG|CNI-HOSTPORT-/.test(rule)),
  ];
}

function describe(link: Link): string {
  const addresses = link.addresses.map((address) => formatPrefix(address)).join(' ');
  return `${link.name} ${link.up ? 'up' : 'down'} ${addresses}`.trimEnd();
}

function routesOf({ routes }: NetworkNamespace): readonly string[] {
  return routes.routes.map(
    ({ dst, gateway, dev }) =>
      `route ${formatDestination(dst)}${gateway ? ` via ${gateway.text}` : ''} dev ${dev?.name}`,
  );
}

function mentions(id: string, address: string | undefined): (rule: string) => boolean {
  const comment = `id: \\"${id}\\"`;
  const asWord = address === undefined ? undefined : new RegExp(`\\b${address.replaceAll('.', '\\.')}\\b`);
  return (rule) => rule.includes(comment) || asWord?.test(rule) === true;
}
