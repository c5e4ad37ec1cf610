import { contains, parseIP, parsePrefix } from '../../../api/ip-prefix.ts';
import { addressOf, type SimNode } from '../simulation/node.ts';
import type { Findings } from './findings.ts';
import { natRules } from './state.ts';

/**
 * Checks after each call of a plugin that objects of other programs stay, and that no two pods have the same address.
 */
export function watchOthers(node: SimNode, findings: Findings): void {
  const { foreignPort, bridgeName, attachments } = node;
  if (foreignPort && foreignPort.master?.name !== bridgeName) {
    findings.break(
      'undisturbed',
      `the plugin removed ${foreignPort.name}, the port of another program, from ${bridgeName} on ${node.name}`,
    );
    node.foreignPort = undefined;
  }
  const holders = new Map<string, string>();
  for (const { pod, namespace } of attachments) {
    const eth0 = namespace.links.get('eth0');
    if (!eth0?.peer?.master) continue;
    for (const { ip } of eth0.addresses) {
      const other = holders.get(ip.text);
      holders.set(ip.text, pod);
      if (other === undefined || node.shared.has(ip.text)) continue;
      node.shared.add(ip.text);
      findings.break('undisturbed', `${other} and ${pod} have the address ${ip.text} at the same time`);
    }
  }
}

/** Checks after each ADD that the rules of a pod match no other pod. */
export function watchRules(node: SimNode, findings: Findings): void {
  for (const rule of natRules(node.machine.host)) {
    const [, source] = /^-A POSTROUTING -s (\S+) /.exec(rule) ?? [];
    if (source === undefined) continue;
    for (const one of node.there) {
      const address = addressOf(one);
      const owner = /id: \\"([^"\\]+)\\"/.exec(rule)?.[1];
      if (owner === undefined || owner === one.attachment.containerID || address === undefined) continue;
      if (contains(parsePrefix(source), parseIP(address)))
        findings.break(
          'undisturbed',
          `a rule of ${owner} also matches packets of ${one.pod} (${address}): ${rule}`,
        );
    }
  }
}
