import type { KubeObject } from '../../../api/objects.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { AdmissionHistory, Call, Phase } from '../history.ts';
import { type HookPlan, timeoutOf } from '../scenario/hooks.ts';

/** What the apiserver must make of a call. */
export type Verdict =
  | { readonly is: 'pass'; readonly object: KubeObject | undefined; readonly hasChanged: boolean }
  /** The webhook refuses the request. */
  | { readonly is: 'refuse'; readonly code: number }
  /** There is no valid answer: the failure policy decides. */
  | { readonly is: 'fail' }
  /** The patch fits nothing: an error whatever the policy. */
  | { readonly is: 'error' }
  /** Nobody can say. */
  | { readonly is: 'unknown' };

/** Returns how long a call may take, in ms: its time limit, but no longer than the request. */
export const limitOf = (hook: HookPlan, call: Call, { attributes }: Phase): number =>
  Math.max(0, Math.min(timeoutOf(hook), attributes.deadlineMs - call.startMs));

/** Returns whether the webhook answers too late or never. An answer at the very end may count or not. */
export function isTooLate(hook: HookPlan, call: Call, phase: Phase): boolean {
  const { answer } = hook;
  if (answer.is === 'hang') return true;
  const afterMs = ('afterMs' in answer ? answer.afterMs : undefined) ?? 1;
  const limitMs = limitOf(hook, call, phase);
  return afterMs === limitMs ? call.isAborted === true : afterMs > limitMs;
}

/**
 * Returns the meaning of the answer to a call.
 *
 * @param object - the object as the webhook saw it
 */
export function verdictOf(
  { tools }: Pick<AdmissionHistory, 'tools'>,
  hook: HookPlan,
  call: Call,
  phase: Phase,
  object: KubeObject | undefined,
): Verdict {
  const { answer } = hook;
  if (isTooLate(hook, call, phase)) return { is: 'fail' };
  if (answer.is === 'deny') return { is: 'refuse', code: Math.max(answer.code ?? 400, 400) };
  if (answer.is === 'broken') {
    // The patch is decoded before its type matters, and there is nothing to patch.
    const isPatch = answer.how === 'another patch type' && hook.phase === 'mutating' && !object;
    return { is: isPatch ? 'error' : 'fail' };
  }
  if (answer.is !== 'patch') return { is: 'pass', object, hasChanged: false };
  if (hook.phase === 'validating') return { is: 'fail' };
  const { patch = [] } = call;
  if (patch.length === 0) return { is: 'pass', object, hasChanged: false };
  if (!object) return { is: 'error' };
  try {
    const { resource } = phase.attributes;
    const patched = tools.applyJsonPatch(object, patch) as KubeObject;
    // The harness knows no schema of the objects of subresources, such as an Eviction.
    const isOwn = object.kind === resource.kind;
    if (!isOwn && answer.patch.to === 'nonsense') return { is: 'unknown' };
    const decoded = isOwn ? tools.decode(resource, patched) : patched;
    const hasChanged = !semanticEqual(decoded, object);
    return { is: 'pass', object: isOwn ? tools.setDefaults(resource, decoded) : decoded, hasChanged };
  } catch {
    return { is: 'error' };
  }
}
