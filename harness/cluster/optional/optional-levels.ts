import type { NewAdmission } from '../../contracts/admission/index.ts';
import type { Components } from '../../contracts/component.ts';
import { withLeaseStandIn } from './lease-stand-in.ts';
import { withNodeRightsStandIn } from './node-rights-stand-in.ts';
import { withNodeStandIn } from './node-stand-in.ts';
import { withStatusStandIn } from './status-stand-in.ts';
import { withoutPlugins } from './without-plugins.ts';

/** Options of {@link withOptionalLevels}. */
export interface OptionalLevelsOptions {
  /** The functions of the kata that still call `todo`. */
  readonly unwritten: readonly string[];
  /** Called with a sentence when a stand-in acts. @defaultValue nothing is reported */
  readonly onStandIn?: (sentence: string) => void;
}

/**
 * Makes a learner's components work in a whole cluster. A stand-in replaces each missing optional level (★) that the cluster cannot do
 * without.
 *
 * @param own the components of one kata
 */
export function withOptionalLevels(
  own: Partial<Components>,
  { unwritten, onStandIn = () => {} }: OptionalLevelsOptions,
): Partial<Components> {
  const { access, admission, keyValueStore, kubelet, ipam, ...rest } = own;
  const { clusterRoleAggregationController: aggregation, podGarbageCollector, ...others } = rest;
  const missing = Object.keys(PLUGINS).filter((name) =>
    PLUGINS[name]?.some((part) => unwritten.includes(part)),
  );
  return {
    ...others,
    ...(access && {
      access: unwritten.includes('authorizeNode')
        ? withNodeRightsStandIn(access, () => onStandIn(NODE_RIGHTS))
        : access,
    }),
    ...(admission && { admission: disabling(admission, missing, onStandIn) }),
    // The reference aggregates.
    ...(aggregation &&
      !unwritten.some((name) => AGGREGATION.includes(name)) && {
        clusterRoleAggregationController: aggregation,
      }),
    // The reference collects pods.
    ...(podGarbageCollector && !unwritten.some((name) => POD_GC.includes(name)) && { podGarbageCollector }),
    ...(keyValueStore && {
      keyValueStore: unwritten.some((name) => LEASES.includes(name))
        ? withLeaseStandIn(keyValueStore, () => onStandIn(NO_LEASES))
        : keyValueStore,
    }),
    ...(kubelet && { kubelet: withNodeStandIn(kubelet, () => onStandIn(NODE)) }),
    ...(ipam && {
      ipam: unwritten.includes('status') ? withStatusStandIn(ipam, () => onStandIn(STATUS)) : ipam,
    }),
  };
}

function disabling(
  admission: NewAdmission,
  plugins: readonly string[],
  onStandIn: (sentence: string) => void,
): NewAdmission {
  if (plugins.length === 0) return admission;
  const isPlural = plugins.length > 1;
  const sentence = `${plugins.join(' and ')} of 14-admission ★ ${isPlural ? 'are' : 'is'} not written: the apiserver runs without ${isPlural ? 'them' : 'it'}.`;
  return (context) => {
    onStandIn(sentence);
    return withoutPlugins(admission, plugins)(context);
  };
}

const NODE_RIGHTS = 'Level 10 ★ of 13-access is not written: a stand-in gives nodes every right.';
/** The optional functions of each plugin of 14-admission. */
const PLUGINS: Readonly<Record<string, readonly string[]>> = {
  PodSecurity: ['policyOf', 'judgePod', 'warningsAbout'],
  NodeRestriction: ['restrictPod', 'restrictNode', 'restrictToken'],
};
/** The optional functions of 12-store. */
const LEASES: readonly string[] = ['startLease', 'revokeLease'];
const NO_LEASES = 'Level 11 ★ of 12-store is not written: a stand-in keeps the leases of your store.';
const AGGREGATION: readonly string[] = ['aggregatedRules', 'clusterRoleAggregationController'];
/** The optional functions of 61-node-lifecycle. */
const POD_GC: readonly string[] = ['terminatedPods', 'isStuck', 'forceDelete', 'gcPass'];
const NODE =
  'Level 11 ★ of 41-kubelet is not part of your kubelet: a stand-in registers its nodes. They refuse no pod and evict none.';
const STATUS = 'Level 8 ★ of 51-ipam is not written: a stand-in answers STATUS, and reports free addresses.';
