import type { KubeObject } from '../../api/objects.ts';
import type { AdmissionAttributes, AdmissionContext, Operation } from '../../contracts/admission/index.ts';
import { limitRanger, type WithLimits } from './limit-ranges.ts';
import { type NodeRestrictions, nodeRestriction } from './node-restriction.ts';
import type { Plugin, Reinvocation } from './plugin.ts';
import { defaultTolerationSeconds, type PriorityOf, priority } from './pod-plugins.ts';
import { type PodSecurityParts, podSecurity } from './pod-security/plugin.ts';
import { type Reserve, resourceQuota } from './quotas.ts';
import { runtimeClassPlugin } from './runtime-class.ts';
import { serviceAccountPlugin, type WithToken } from './service-accounts.ts';
import { defaultStorageClass, persistentVolumeClaimResize } from './storage-plugins.ts';
import { taintNodesByCondition } from './taint-nodes.ts';
import { type Hook, hooksOf } from './webhook-calls.ts';

const ALL: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** The parts of an admission that a kata builds. */
export interface AdmissionParts {
  readonly namespaceLifecycle: Plugin;
  readonly withLimits: WithLimits;
  readonly withToken: WithToken;
  readonly nodeRestrictions: NodeRestrictions;
  readonly podSecurity: PodSecurityParts;
  readonly priorityOf: PriorityOf;
  readonly withTolerations: Parameters<typeof defaultTolerationSeconds>[0];
  readonly mutateByWebhooks: (
    hooks: readonly Hook[],
    attributes: AdmissionAttributes,
    reinvocation: Reinvocation,
    context: AdmissionContext,
  ) => Promise<KubeObject | undefined>;
  readonly validateByWebhooks: (
    hooks: readonly Hook[],
    attributes: AdmissionAttributes,
    context: AdmissionContext,
  ) => Promise<void>;
  readonly reserve: Reserve;
}

/**
 * Returns the enabled plugins in the order of both phases. ResourceQuota is the last, because it writes: every other plugin must
 * have agreed before.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubeapiserver/options/plugins.go AllOrderedPlugins
 *
 * Differs: StorageObjectInUseProtection is missing. The controllers that remove its finalizers also add them. The policies and
 * the other small plugins are missing, too. Webhooks are not called for other versions of a resource, which
 * `matchPolicy: Equivalent` asks for.
 */
export function pluginsInOrder(context: AdmissionContext, parts: AdmissionParts): readonly Plugin[] {
  const plugins: readonly Plugin[] = [
    parts.namespaceLifecycle,
    limitRanger(context, parts.withLimits),
    serviceAccountPlugin(context, parts.withToken),
    nodeRestriction(context, parts.nodeRestrictions),
    taintNodesByCondition,
    podSecurity(context, parts.podSecurity),
    priority(context, parts.priorityOf),
    defaultTolerationSeconds(parts.withTolerations),
    defaultStorageClass(context),
    persistentVolumeClaimResize(context),
    runtimeClassPlugin(context),
    {
      name: 'MutatingAdmissionWebhook',
      operations: ALL,
      async admit(attributes, reinvocation) {
        const hooks = hooksOf(context, 'mutating');
        if (hooks.length === 0) return attributes.object;
        return parts.mutateByWebhooks(hooks, attributes, reinvocation, context);
      },
    },
    {
      name: 'ValidatingAdmissionWebhook',
      operations: ALL,
      async validate(attributes) {
        const hooks = hooksOf(context, 'validating');
        if (hooks.length > 0) await parts.validateByWebhooks(hooks, attributes, context);
      },
    },
    resourceQuota(context, parts.reserve),
  ];
  const { disabledPlugins = [] } = context;
  return plugins.filter(({ name }) => !disabledPlugins.includes(name));
}
