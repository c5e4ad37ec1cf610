import { firstOf, parsePrefix, plus } from '../../../api/ip-prefix.ts';
import type { CniConfigurationList } from '../../../contracts/node/cni-plugin.ts';
import type { Attachment, SimNode } from '../simulation/node.ts';

/**
 * Compares the result of an ADD with the node, the specification and upstream; returns the differences.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdAdd; containernetworking/cni@v1.3.0
 * SPEC.md section 5
 */
export function objectionsTo(node: SimNode, one: Attachment, list: CniConfigurationList): readonly string[] {
  const { interfaces = [], ips = [], routes = [], cniVersion } = one.result ?? { cniVersion: '' };
  const { namespace, attachment } = one;
  const eth0 = namespace.links.get(attachment.ifname);
  const host = eth0?.peer;
  const wanted = [
    { name: node.bridgeName, mac: node.bridge?.mac, sandbox: undefined },
    { name: host?.name, mac: host?.mac, sandbox: undefined },
    { name: attachment.ifname, mac: eth0?.mac, sandbox: attachment.netns },
  ];
  const say = ({
    name,
    mac,
    sandbox,
  }: {
    name?: string | undefined;
    mac?: string | undefined;
    sandbox?: string | undefined;
  }): string => `${name} ${mac}${sandbox ? ` in ${sandbox}` : ''}`;
  const objections: string[] = [];
  const expect = (what: string, is: string, should: string): void => {
    if (is !== should) objections.push(`${what} is ${is || 'missing'}; expected ${should}`);
  };
  expect('cniVersion', `${cniVersion}`, list.cniVersion);
  expect('the number of interfaces', `${interfaces.length}`, '3');
  for (const [i, should] of wanted.entries()) {
    const is = interfaces[i];
    expect(`interfaces[${i}]`, is ? say(is) : '', say(should));
  }
  const [has] = eth0?.addresses.filter(({ ip }) => ip.family === 4) ?? [];
  const [ip] = ips;
  const address = has ? `${has.ip.text}/${has.bits}` : 'none, because eth0 has no address';
  expect('ips[0].address', ip?.address ?? '', address);
  expect('ips[0].interface', `${ip?.interface}`, '2');
  const gateway = has ? plus(firstOf(parsePrefix(address)), 1).text : '';
  expect('ips[0].gateway', ip?.gateway ?? '', gateway);
  const way = routes.find(({ dst }) => dst === '0.0.0.0/0');
  // A route without a gateway uses the gateway of the address.
  expect('the gateway of the route to 0.0.0.0/0', way ? (way.gw ?? gateway) : '', gateway);
  return objections;
}
