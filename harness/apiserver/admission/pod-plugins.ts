import type { Pod, PriorityClass } from '../../api/objects.ts';
import { pods, priorityClasses } from '../../api/resource.ts';
import type { AdmissionContext } from '../../contracts/admission/index.ts';
import { forbidden, isAbout, type Plugin } from './plugin.ts';
import { refusing } from './refusal.ts';

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

/**
 * The plugin Priority: resolves the priority of new pods, keeps it in updates, and allows one default class.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/priority/admission.go Plugin
 */
export function priority(
  { cache }: AdmissionContext,
  complete: (pod: Pod, classes: readonly PriorityClass[]) => Pod,
): Plugin {
  return {
    name: 'Priority',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async admit(attributes) {
      const { object, oldObject, operation } = attributes;
      if (!isAbout(attributes, pods) || operation === 'DELETE') return object;
      if (operation === 'UPDATE') return withOldPriority(object as Pod, oldObject as Pod);
      return refusing(attributes, () => complete(object as Pod, cache.list(priorityClasses)));
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

/** A client may omit what the server has added. */
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
