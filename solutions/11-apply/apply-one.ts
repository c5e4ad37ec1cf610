import { type Applied, failures, rethrowAs, type Step, warnings } from '#given/11-apply';
import { hasReason, isConflict, type KubeObject } from '#harness';
import { encodeJson, withLastApplied } from './last-applied.ts';
import { planApply, withoutNulls } from './plan.ts';

export const MAX_RETRIES = 5;
export const PAUSE_MS = 1_000;

/** The part of {@link Applied} that the requests decide. */
export type Result = Pick<Applied, 'outcome' | 'object'>;

export async function applyOne(step: Step): Promise<Applied> {
  const { target, requests, warn } = step;
  const live = await requests.find().catch(rethrowAs(failures.reading, target));
  const plan = planApply(target, live);
  for (const warning of plan.warnings) warn(warning);
  const result: Result =
    plan.action === 'create'
      ? {
          outcome: 'created',
          object: await requests.create(plan.object).catch(rethrowAs(failures.creating, target)),
        }
      : await patchWithRetries(step, live as KubeObject);
  if (live && result.object.metadata.deletionTimestamp) warn(warnings.deleting(target.key.name));
  return { resource: target.mapping.resource, key: target.key, ...result };
}

export async function patchWithRetries(step: Step, live: KubeObject): Promise<Result> {
  const { target, requests, options, clock } = step;
  let current = live;
  for (let retries = 0; ; retries++) {
    const plan = planApply(target, current);
    if (plan.action !== 'patch') return { outcome: 'unchanged', object: current };
    try {
      return { outcome: 'configured', object: await requests.patch(current, plan.patch) };
    } catch (error) {
      if (!isConflict(error) || retries === MAX_RETRIES) {
        const isForced = options.force && !options.dryRun && hasReason(error, 'Conflict', 'Invalid');
        if (isForced) return { outcome: 'configured', object: await replace(step, current) };
        throw failures.patching(target, encodeJson(plan.patch.body), error);
      }
    }
    if (retries > 0) await clock.sleep(PAUSE_MS);
    current = await requests.get().catch((error: unknown) => {
      throw failures.applying(target, '', error);
    });
  }
}

export async function replace(step: Step, live: KubeObject): Promise<KubeObject> {
  const { target, requests } = step;
  const modified = withLastApplied(target.manifest);
  try {
    await requests.delete();
    await untilGone(step);
    return await requests.create(withoutNulls(modified)).catch(async (error: unknown) => {
      await requests.create(live).catch((second: unknown) => {
        throw failures.notRestored(error, second);
      });
      throw error;
    });
  } catch (error) {
    throw failures.applying(target, encodeJson(modified), error);
  }
}

/** Differs: without a timeout, kubectl v1.36 does not wait at all, and loses the object. */
async function untilGone({ requests, options, clock }: Step): Promise<void> {
  const deadlineMs = clock.now() + (options.timeoutMs || Number.POSITIVE_INFINITY);
  while (await requests.find()) {
    const restMs = deadlineMs - clock.now();
    if (restMs <= 0) throw failures.deadline();
    await clock.sleep(Math.min(PAUSE_MS, restMs));
  }
}
