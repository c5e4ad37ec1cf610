/** The functions of the short way, as a first draft: it makes one plan, and sends its patch again after a conflict. */
import { failures, type Step } from '#given/11-apply';
import { hasReason, isConflict, type KubeObject } from '#harness';
import { encodeJson, MAX_RETRIES, PAUSE_MS, planApply, type Result, replace } from './apply.ts';

export async function patchWithRetries(step: Step, live: KubeObject): Promise<Result> {
  const { target, requests, options, clock } = step;
  const plan = planApply(target, live);
  if (plan.action !== 'patch') return { outcome: 'unchanged', object: live };
  let current = live;
  for (let retries = 0; ; retries++) {
    try {
      return { outcome: 'configured', object: await requests.patch(current, plan.patch) };
    } catch (error) {
      if (!isConflict(error) || retries === MAX_RETRIES) {
        if (options.force && !options.dryRun && hasReason(error, 'Conflict', 'Invalid'))
          return { outcome: 'configured', object: await replace(step, current) };
        throw failures.patching(target, encodeJson(plan.patch.body), error);
      }
    }
    if (retries > 0) await clock.sleep(PAUSE_MS);
    current = await requests.get().catch((error: unknown) => {
      throw failures.applying(target, '', error);
    });
  }
}
