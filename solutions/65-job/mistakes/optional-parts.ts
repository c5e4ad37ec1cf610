/** Levels 9 ★ to 11 ★: the policies. */
import type { Mistake } from '#harness/testing';

export const optionalMistakes: readonly Mistake[] = [
  {
    id: 'ignores-the-success-policy',
    why: 'A Job with a success policy runs until all its indexes have completed.',
    origin: 'common',
    law: 'Success policy',
    edits: [['  return verdicts.indexFailure ?? verdicts.success;', '  return verdicts.indexFailure;']],
  },
  {
    id: 'exit-code-0-matches',
    why: 'A rule with NotIn matches a container that ended without an error, beside the one that failed.',
    misconception: 'You seem to believe that each container of a failed pod has failed.',
    origin: 'common',
    law: 'Level 9',
    hidden: 'No run has a pod with two containers that end differently.',
    edits: [['if (!exitCode || (containerName', 'if (exitCode === undefined || (containerName']],
  },
  {
    id: 'last-rule-wins',
    why: 'The last rule that matches decides.',
    misconception: 'You seem to believe that later rules override earlier ones.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'of (job.spec.podFailurePolicy?.rules ?? []).entries()',
        'of [...(job.spec.podFailurePolicy?.rules ?? []).entries()].reverse()',
      ],
    ],
  },
  {
    id: 'any-container-matches',
    why: 'A rule for one container also matches the exit code of another.',
    misconception: 'You seem to believe that a pod has one exit code.',
    origin: 'common',
    law: 'Level 9',
    edits: [[' || (containerName !== undefined && containerName !== name)', '']],
  },
  {
    id: 'condition-of-any-status',
    why: 'A rule matches a condition that is False.',
    misconception: 'You seem to believe that a condition is there only if it is true.',
    origin: 'common',
    law: 'Level 9',
    hidden: 'No run has a pod with a condition that is False and in a rule.',
    edits: [
      [
        'type === condition.type && status === condition.status',
        'type === condition.type && status !== undefined',
      ],
    ],
  },
  {
    id: 'any-index-counts-for-the-rule',
    why: 'A rule with indexes and a count is met by other indexes.',
    misconception: 'You seem to believe that a count needs no names.',
    origin: 'common',
    law: 'Level 10',
    edits: [['const met = overlap(required, succeeded);', 'const met = countIndexes(succeeded);']],
  },
  {
    id: 'one-index-is-enough',
    why: 'A rule that names several indexes is met by the first of them.',
    misconception: 'You seem to believe that a list of indexes means any of them.',
    origin: 'common',
    law: 'Level 10',
    edits: [['succeededCount ?? completions)', 'succeededCount ?? 1)']],
  },
  {
    id: 'one-more-try-for-each-index',
    why: 'With backoffLimitPerIndex 1 an index gets three pods.',
    misconception: 'You seem to believe that the annotation counts the pod that has it.',
    origin: 'common: one too many',
    law: 'Level 11',
    edits: [
      [
        'annotatedCount(pod, FAILURE_COUNT) >= backoffLimitPerIndex',
        'annotatedCount(pod, FAILURE_COUNT) > backoffLimitPerIndex',
      ],
    ],
  },
  {
    id: 'ignored-failures-fail-the-index',
    why: 'A failure that the policy ignores fails its index.',
    misconception: 'You seem to believe that a policy is about the Job, and not about its indexes.',
    origin: 'common',
    law: 'Level 11',
    edits: [["return action !== 'Ignore' && annotatedCount(", 'return annotatedCount(']],
  },
  {
    id: 'ignored-failures-do-not-delay',
    why: 'A pod that fails again and again, but is ignored, is replaced without any delay that grows.',
    misconception: 'You seem to believe that an ignored failure did not happen.',
    origin: 'k#119434',
    law: 'Level 11',
    edits: [
      [
        'return annotatedCount(pod, FAILURE_COUNT) + annotatedCount(pod, IGNORED_FAILURE_COUNT);',
        'return annotatedCount(pod, FAILURE_COUNT);',
      ],
    ],
  },
  {
    id: 'keeps-the-first-pod',
    why: 'The next pod takes over the count of the first failed pod of its index, so the index never reaches its limit.',
    misconception: 'You seem to believe that an index has one failed pod.',
    origin: 'common',
    law: 'Level 11',
    hidden: 'No run has several failed pods of an index with a limit at once.',
    edits: [
      ['    if (isLater) kept.set(index, pod);', '    if (!other) kept.set(index, pod);\n    void isLater;'],
    ],
  },
  {
    id: 'one-failed-index-ends-all',
    why: 'The Job ends at its first failed index.',
    misconception: 'You seem to believe that a failed index is a failed Job.',
    origin: 'common',
    law: 'Level 11',
    edits: [
      [
        'const isSettled = count > 0 && count + countIndexes(succeeded) >= (spec.completions ?? 0);',
        'const isSettled = count > 0 || count + countIndexes(succeeded) > (spec.completions ?? 0);',
      ],
    ],
  },
];
