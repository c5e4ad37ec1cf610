import type { CniConfigurationList } from '../../contracts/node/cni-plugin.ts';
import type { Findings } from './oracle/findings.ts';
import type { PodNetworkScenario } from './scenario/index.ts';

/** The record of one run, and its findings. */
export interface PodNetworkHistory {
  readonly scenario: PodNetworkScenario;
  readonly findings: Findings;
  /** Equal for equal runs. */
  readonly hash: string;
  readonly endMs: number;
  timeline(): readonly string[];
}

/** Returns the network configuration of a node without an agent, with `ipMasq`. */
export function aloneConflist(
  podCIDR: string,
  { bridge, gives }: PodNetworkScenario['alone'],
): CniConfigurationList {
  return {
    cniVersion: '1.1.0',
    name: 'mynet',
    plugins: [
      {
        type: 'bridge',
        bridge,
        isDefaultGateway: true,
        hairpinMode: true,
        ipMasq: true,
        ipam: { type: 'host-local', ranges: [[{ subnet: podCIDR }]], gives },
      } as CniConfigurationList['plugins'][number],
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}
