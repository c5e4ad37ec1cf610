import {
  type AdmissionAttributes,
  type AdmissionContext,
  type Hook,
  hasTimeLeft,
  type Invocation,
  namespaceLabels,
  patchedBy,
  type Reinvocation,
  recordFailedOpen,
  requestTimeout,
  withDefaults,
  withObject,
} from '#given/14-admission';
import { type KubeObject, semanticEqual } from '#harness';
import { callWebhook, settleFailure } from './answer.ts';
import { invocationOf } from './matching.ts';

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go Dispatch */
export async function mutateByWebhooks(
  hooks: readonly Hook[],
  attributes: AdmissionAttributes,
  reinvocation: Reinvocation,
  context: AdmissionContext,
): Promise<KubeObject | undefined> {
  let current = attributes;
  if (reinvocation.isSecond && !semanticEqual(reinvocation.lastOutput, current.object)) {
    callAgain(reinvocation);
  }
  for (const [index, hook] of hooks.entries()) {
    const invocation = await invocationOf(hook, current, namespaceLabels(current, context));
    if (!invocation) continue;
    if (reinvocation.isSecond && !reinvocation.again.has(hook.uid)) continue;
    let patched: KubeObject | undefined;
    try {
      const { patch, patchType = '' } = await callWebhook(hook, current, invocation, 'mutating', context);
      if (patch) patched = patchedBy(hook, current, { patch, patchType }, context);
    } catch (error) {
      settleFailure(error, hook, { phase: 'mutating', isOutOfTime: !hasTimeLeft(current, context) });
      recordFailedOpen(current, hook, { phase: 'mutating', isSecond: reinvocation.isSecond, index });
    }
    if (patched && !semanticEqual(current.object, patched)) {
      callAgain(reinvocation);
      reinvocation.needed = true;
    }
    if (patched) current = withObject(current, withDefaults(current, patched, context));
    if (hook.reinvocationPolicy === 'IfNeeded') reinvocation.eligible.add(hook.uid);
  }
  reinvocation.lastOutput = current.object;
  return current.object;
}

/** The object has changed after these webhooks: the second run calls them. */
function callAgain({ again, eligible }: Reinvocation): void {
  for (const uid of eligible) again.add(uid);
  eligible.clear();
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/validating/dispatcher.go Dispatch */
export async function validateByWebhooks(
  hooks: readonly Hook[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<void> {
  const calls: (readonly [Hook, Invocation])[] = [];
  for (const hook of hooks) {
    const invocation = await invocationOf(hook, attributes, namespaceLabels(attributes, context));
    if (invocation) calls.push([hook, invocation]);
  }
  if (calls.length === 0) return;
  if (!hasTimeLeft(attributes, context)) throw requestTimeout();
  const refusals: unknown[] = [];
  await Promise.all(
    calls.map(async ([hook, invocation], index) => {
      try {
        await callWebhook(hook, attributes, invocation, 'validating', context);
      } catch (error) {
        try {
          settleFailure(error, hook, { phase: 'validating', isOutOfTime: false });
          recordFailedOpen(attributes, hook, { phase: 'validating', index });
        } catch (refusal) {
          refusals.push(refusal);
        }
      }
    }),
  );
  if (refusals.length > 0) throw refusals[0];
}
