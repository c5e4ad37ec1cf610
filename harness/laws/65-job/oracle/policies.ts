import type { Job, Pod } from '../../../api/objects.ts';
import { parseIndexes } from './pods.ts';

/** Returns the position of the success rule that the status fulfils; undefined if it fulfils none. */
export function successIn({ spec, status }: Job): { readonly rule: number } | undefined {
  const completed = parseIndexes(status.completedIndexes) ?? [];
  const rule = (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    const listed = succeededIndexes === undefined ? undefined : (parseIndexes(succeededIndexes) ?? []);
    const matching = listed ? completed.filter((index) => listed.includes(index)) : completed;
    const needed = succeededCount ?? listed?.length ?? Number.POSITIVE_INFINITY;
    return matching.length >= needed;
  });
  return rule < 0 ? undefined : { rule };
}

/** The action of the first rule of the pod failure policy that matches a failed pod; undefined without one. */
export function actionFor({ spec }: Job, { status }: Pod): string | undefined {
  const codes = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].flatMap(
    ({ name, state }) => {
      const exitCode = state?.terminated?.exitCode ?? 0;
      return exitCode === 0 ? [] : [{ name, exitCode }];
    },
  );
  const rule = spec.podFailurePolicy?.rules.find(({ onExitCodes, onPodConditions = [] }) => {
    if (onExitCodes) {
      const { containerName, operator, values } = onExitCodes;
      return codes.some(
        ({ name, exitCode }) =>
          (containerName === undefined || containerName === name) &&
          values.includes(exitCode) === (operator === 'In'),
      );
    }
    return onPodConditions.some((wanted) =>
      status.conditions?.some(
        (each) => each.type === wanted.type && each.status === (wanted.status ?? 'True'),
      ),
    );
  });
  return rule?.action;
}

/** The failures of the pod's index before it, which counted. */
export function failuresBefore({ metadata }: Pod): number {
  return Number(metadata.annotations?.['batch.kubernetes.io/job-index-failure-count'] ?? 0);
}

/** The failures of the pod's index before it, which a policy ignored. */
export function ignoredBefore({ metadata }: Pod): number {
  return Number(metadata.annotations?.['batch.kubernetes.io/job-index-ignored-failure-count'] ?? 0);
}

/** Tests whether the failure of this pod makes its index fail for good. */
export function isLastFailure(job: Job, pod: Pod): boolean {
  const action = actionFor(job, pod);
  if (action === 'FailIndex') return true;
  return (
    action !== 'Ignore' && failuresBefore(pod) >= (job.spec.backoffLimitPerIndex ?? Number.POSITIVE_INFINITY)
  );
}
