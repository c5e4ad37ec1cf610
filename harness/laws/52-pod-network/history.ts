import type { CniConfigurationList } from '../../contracts/node/cni-plugin.ts';
import type { Findings } from './findings.ts';
import type { PodNetworkScenario } from './scenario.ts';

/** One life of a network of pods, and what was found out about it. */
export interface PodNetworkHistory {
  readonly scenario: PodNetworkScenario;
  readonly findings: Findings;
  /** Equal for equal runs. */
  readonly hash: string;
  readonly endMs: number;
  timeline(): readonly string[];
}

/** The network of a node that is alone: no agent, and the plugin masquerades. */
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
