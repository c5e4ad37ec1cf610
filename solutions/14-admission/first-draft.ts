/** The functions of the short way, as a first draft: it decides which webhooks match before it calls the first one. */
import {
  type Admission,
  type AdmissionAttributes,
  type AdmissionContext,
  type Hook,
  hasTimeLeft,
  type Invocation,
  namespaceLabels,
  type Plugin,
  patchedBy,
  Reinvocation,
  recordFailedOpen,
  requestTimeout,
  withDefaults,
  withObject,
} from '#given/14-admission';
import { type KubeObject, semanticEqual } from '#harness';
import { callWebhook, invocationOf, type Rule, settleFailure, type Target } from './admission.ts';

export function newChain(plugins: readonly Plugin[]): Admission {
  return {
    async admit(attributes) {
      const reinvocation = new Reinvocation();
      let current = attributes;
      do {
        reinvocation.isSecond = reinvocation.needed;
        for (const plugin of plugins) {
          if (!plugin.admit || !plugin.operations.includes(attributes.operation)) continue;
          current = withObject(current, await plugin.admit(current, reinvocation));
        }
      } while (reinvocation.needed && !reinvocation.isSecond);
      return current.object;
    },
    async validate(attributes) {
      for (const plugin of plugins) {
        if (plugin.operations.includes(attributes.operation)) await plugin.validate?.(attributes);
      }
    },
  };
}

export function ruleMatches(rule: Rule, { resource, namespace, operation, subresource }: Target): boolean {
  const has = (list: readonly string[] = [], value: string): boolean =>
    list.includes('*') || list.includes(value);
  const isNamespaced = namespace !== '' && (resource.group !== '' || resource.plural !== 'namespaces');
  const scope = rule.scope ?? '*';
  if (scope !== '*' && scope !== (isNamespaced ? 'Namespaced' : 'Cluster')) return false;
  if (!has(rule.operations, operation) || !has(rule.apiGroups, resource.group)) return false;
  if (!has(rule.apiVersions, resource.version)) return false;
  return (rule.resources ?? []).some((entry) => {
    const [plural = '', part = ''] = entry.split('/');
    return has([plural], resource.plural) && has([part], subresource);
  });
}

export async function mutateByWebhooks(
  hooks: readonly Hook[],
  attributes: AdmissionAttributes,
  reinvocation: Reinvocation,
  context: AdmissionContext,
): Promise<KubeObject | undefined> {
  let current = attributes;
  const { isSecond, again, eligible } = reinvocation;
  const changed = (): void => {
    for (const uid of eligible) again.add(uid);
    eligible.clear();
  };
  if (isSecond && !semanticEqual(reinvocation.lastOutput, current.object)) changed();
  const matching: [number, Hook, Invocation][] = [];
  for (const [index, hook] of hooks.entries()) {
    const invocation = await invocationOf(hook, current, namespaceLabels(current, context));
    if (invocation) matching.push([index, hook, invocation]);
  }
  for (const [index, hook, invocation] of matching) {
    if (isSecond && !again.has(hook.uid)) continue;
    let patched: KubeObject | undefined;
    try {
      const { patch, patchType = '' } = await callWebhook(hook, current, invocation, 'mutating', context);
      if (patch) patched = patchedBy(hook, current, { patch, patchType }, context);
    } catch (error) {
      settleFailure(error, hook, {
        phase: 'mutating',
        isOutOfTime: !hasTimeLeft(current, context),
      });
      recordFailedOpen(current, hook, { phase: 'mutating', isSecond, index });
    }
    if (patched && !semanticEqual(patched, current.object)) {
      changed();
      reinvocation.needed = true;
    }
    if (patched) current = withObject(current, withDefaults(current, patched, context));
    if (hook.reinvocationPolicy === 'IfNeeded') eligible.add(hook.uid);
  }
  reinvocation.lastOutput = current.object;
  return current.object;
}

export async function validateByWebhooks(
  hooks: readonly Hook[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<void> {
  const calls: [Hook, Invocation][] = [];
  for (const hook of hooks) {
    const invocation = await invocationOf(hook, attributes, namespaceLabels(attributes, context));
    if (invocation) calls.push([hook, invocation]);
  }
  if (calls.length > 0 && !hasTimeLeft(attributes, context)) throw requestTimeout();
  const outcomes = await Promise.allSettled(
    calls.map(([hook, invocation], index) =>
      callWebhook(hook, attributes, invocation, 'validating', context).catch((error: unknown) => {
        settleFailure(error, hook, { phase: 'validating', isOutOfTime: false });
        recordFailedOpen(attributes, hook, { phase: 'validating', index });
      }),
    ),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
