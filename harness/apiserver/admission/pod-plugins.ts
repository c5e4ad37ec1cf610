import type { Pod, PriorityClass } from '../../api/objects.ts';
import { pods, priorityClasses } from '../../api/resource.ts';
import type { AdmissionContext } from '../../contracts/admission/index.ts';
import { forbidden, isAbout, type Plugin } from './plugin.ts';
import { Refusal, refusing } from './refusal.ts';

/**
 * The plugin DefaultTolerationSeconds, for new and changed pods.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/defaulttolerationseconds/admission.go Plugin
 */
export function defaultTolerationSeconds(complete: (pod: Pod) => Pod): Plugin {
  return {
    name: 'DefaultTolerationSeconds',
    operations: ['CREATE', 'UPDATE'],
    admit: async (attributes) =>
      isAbout(attributes, pods) ? complete(attributes.object as Pod) : attributes.object,
  };
}

/** The priority of a pod. */
export interface Priority {
  /** The PriorityClass. Undefined if the pod names none, and no class is the default. */
  readonly className?: string;
  readonly value: number;
  /** Whether the pod may evict pods of lower priorities. Undefined if the class leaves it open. */
  readonly policy?: string | undefined;
}

/**
 * Returns the priority of a pod.
 *
 * @param name - the class that the pod names, undefined without one
 * @throws Refusal if this class does not exist
 */
export type PriorityOf = (name: string | undefined, classes: readonly PriorityClass[]) => Priority;

/**
 * The plugin Priority: resolves the priority of new pods, keeps it in updates, and allows one default class.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/priority/admission.go Plugin
 */
export function priority({ cache }: AdmissionContext, priorityOf: PriorityOf): Plugin {
  return {
    name: 'Priority',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async admit(attributes) {
      const { object, oldObject, operation } = attributes;
      if (!isAbout(attributes, pods) || operation === 'DELETE') return object;
      if (operation === 'UPDATE') return withOldPriority(object as Pod, oldObject as Pod);
      const pod = object as Pod;
      const { priorityClassName } = pod.spec;
      return refusing(attributes, () =>
        withPriority(pod, priorityOf(priorityClassName || undefined, cache.list(priorityClasses))),
      );
    },
    async validate(attributes) {
      const { object, operation } = attributes;
      if (!isAbout(attributes, priorityClasses) || operation === 'DELETE') return;
      const { metadata, globalDefault } = object as PriorityClass;
      const [first] = cache
        .list(priorityClasses)
        .filter((each) => each.globalDefault)
        .sort((a, b) => a.value - b.value);
      if (!globalDefault || !first) return;
      if (operation === 'UPDATE' && first.metadata.name === metadata.name) return;
      const why = `PriorityClass ${first.metadata.name} is already marked as default. Only one default can exist`;
      throw forbidden(attributes, why);
    },
  };
}

/** A client may name the number only if it is the right one. Upstream: Plugin.admitPod */
function withPriority(pod: Pod, { className, value, policy }: Priority): Pod {
  const { priority: given, preemptionPolicy } = pod.spec;
  const computed = 'must not be provided in pod spec; priority admission controller computed';
  const why = 'from the given PriorityClass name';
  if (given !== undefined && given !== value) {
    throw new Refusal(`the integer value of priority (${given}) ${computed} ${value} ${why}`);
  }
  if (policy && preemptionPolicy !== undefined && preemptionPolicy !== policy) {
    throw new Refusal(
      `the string value of PreemptionPolicy (${preemptionPolicy}) ${computed} ${policy} ${why}`,
    );
  }
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(className && { priorityClassName: className }),
      priority: value,
      ...(policy && { preemptionPolicy: policy }),
    },
  };
}

/** A client may omit the fields that the server has added. */
function withOldPriority(pod: Pod, old: Pod): Pod {
  const { priority: oldPriority, preemptionPolicy: oldPolicy } = old.spec;
  const lacksPriority = pod.spec.priority === undefined && oldPriority !== undefined;
  const lacksPolicy = pod.spec.preemptionPolicy === undefined && oldPolicy !== undefined;
  if (!lacksPriority && !lacksPolicy) return pod;
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(lacksPriority && { priority: oldPriority }),
      ...(lacksPolicy && { preemptionPolicy: oldPolicy }),
    },
  };
}
